#pragma once

#include "language/text.hpp"
#include "training/adam.hpp"
#include "training/interruption.hpp"

#include <atomic>
#include <filesystem>

namespace language {

using training::Workers;

/// The defaults are those of nanoGPT's small CPU setting, but for the learning rate: twice as
/// large, 2,000 steps of it lead further.
struct TrainOptions {
    std::size_t n_steps = 2000;
    std::size_t n_texts = 12;           // in a batch, each of `context` characters
    float learning_rate = 2e-3F;        // rises in a straight line over
    std::size_t warm_up = 100;          // steps, and then falls along a cosine to
    float last_rate = 1e-4F;            // at the last step
    float weight_decay = 0.1F;          // of matrices and tables
    float largest_gradient = 1.0F;      // its norm; longer ones are cut to it
    std::uint64_t seed = 1;             // of the weights and of the order of the text
    std::size_t evaluate_every = 250;   // steps: validation loss, and a checkpoint
    std::size_t evaluation_texts = 200; // for it; at the end all of the validation part
    std::filesystem::path checkpoint;   // the file; none: nothing is written
    bool resume = false;                // go on from that file, if it is there
};

/// How far a training is, at one of its steps.
struct Progress {
    std::size_t step = 0, n_steps = 0; // done
    double loss = 0;                   // nats a character: mean of the last steps
    double valid_loss = 0;             // where `evaluated`
    bool evaluated = false;
    double milliseconds = 0; // a step, mean in this process
    double seconds_left = 0;
};

/// One evaluation.
struct Evaluation {
    std::uint64_t step = 0;
    double train_loss = 0, valid_loss = 0; // nats a character; train: mean since the one before
};

/// The learning rate of a step, counted from 0.
float rate_at(std::size_t step, const TrainOptions& options);

/// Mean −ln p(next), nats a character, over the text in pieces of `context`: all of them, or so
/// many, evenly spread, where `n_texts` is less and not 0.
double mean_loss(const Model<float>& model, Workers& workers, const Ids& text,
                 std::size_t n_texts = 0);

/// Trains a model on the train part of a text by Adam with decoupled decay, each thread on its own
/// texts of a batch. The same options, text and number of threads give the same weights, bit for
/// bit, however often the training was interrupted.
class Trainer {
public:
    /// Reads the checkpoint, if it is to go on from there; else one that is there is kept, as
    /// training::open_checkpoint does. Throws as training::load_checkpoint does.
    Trainer(Model<float>& model, Workers& workers, const Text& text, const TrainOptions& options);

    /// One step; returns the loss of its batch, nats a character. Throws std::runtime_error if it
    /// is not a finite number.
    double step();

    /// All steps that are left. `progress` is called after each, may be empty; a checkpoint is
    /// written at each evaluation, and when *stop becomes true. Throws training::Interrupted then,
    /// and std::runtime_error if a checkpoint cannot be written.
    void run(const std::function<void(const Progress&)>& progress = {},
             const std::atomic<bool>* stop = nullptr);

    std::uint64_t n_steps() const { return adam_.n_steps(); }
    const std::vector<Evaluation>& evaluations() const { return evaluations_; }

private:
    void evaluate();
    void save() const;

    Model<float>& model_;
    Workers& workers_;
    const Text& text_;
    TrainOptions options_;
    training::Adam adam_;
    std::uint64_t fingerprint_;
    std::vector<Evaluation> evaluations_;
    double loss_sum_ = 0; // since the last evaluation
    std::uint64_t n_losses_ = 0;
};

} // namespace language
