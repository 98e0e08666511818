#pragma once

#include "seq2seq/model.hpp"
#include "training/workers.hpp"

#include <filesystem>
#include <optional>

namespace seq2seq {

struct TrainOptions {
    std::size_t batch_size = 64; // sentences
    float learning_rate = 1e-3F;
    float first_dropout = 0.1F; // at the start of a training; rises in a straight line to
    float dropout = 0.3F;       // at its end
    float smoothing = 0.0F;
    float largest_gradient = 1.0F; // its norm; longer ones are cut to it
    std::uint64_t seed = 1;        // of the order of the data and of dropout
};

/// What of the options changes from step to step.
struct Pace {
    float rate_factor = 1;        // of the learning rate
    std::optional<float> dropout; // in place of the options'
};

struct StepResult {
    double loss = 0; // nats a target word, mean over the batch
    std::size_t n_target_words = 0;
    double gradient_norm = 0;
};

/// Trains a model by Adam on batches, every thread on its own part of each with its own tape. The
/// same options, data and number of threads give the same weights, bit for bit.
class Trainer {
public:
    Trainer(Model<float>& model, Workers& workers, const TrainOptions& options);

    /// One step down the gradient of the mean loss of these sentences.
    StepResult step(const std::vector<Example>& examples, const Ids& sentences,
                    const Pace& pace = {});

    /// Steps taken so far.
    std::uint64_t n_steps() const { return n_steps_; }
    /// Thread seconds spent on scores and their gradients, and on all of step(), so far.
    double scorer_seconds() const { return scorer_seconds_; }
    double thread_seconds() const { return thread_seconds_; }

    /// All that the next step depends on beside options and data: weights, moments, counts.
    void save(std::ostream& out) const;
    /// Throws std::runtime_error if what is read was not saved by a trainer of such a model.
    void load(std::istream& in);

private:
    double combine_gradients(); // into the first thread's; returns the norm
    void update(double gradient_norm, float rate_factor);

    Model<float>& model_;
    Workers& workers_;
    TrainOptions options_;
    std::vector<Gradients<float>> gradients_;  // of each thread
    std::vector<autograd::Tape> tapes_;        // of each thread
    std::vector<Array<float>> first_, second_; // Adam's moments, one of each a parameter
    std::uint64_t n_steps_ = 0;
    std::atomic<double> scorer_seconds_ = 0;
    double thread_seconds_ = 0;
};

/// The mean loss of all examples, nats a target word, without dropout.
double mean_loss(const Model<float>& model, Workers& workers, const std::vector<Example>& examples,
                 std::size_t batch_size = 64);

/// Greedy translations of all sources, in their order, of at most 2 · source words + 10 words.
std::vector<Translation> translate(const Model<float>& model, Workers& workers,
                                   const std::vector<Example>& examples,
                                   std::size_t batch_size = 64);

/// The attention weights while each target itself is read and predicted: (target + end, source +
/// end) for each example, in their order.
std::vector<attention::Matrix> attention_weights(const Model<float>& model, Workers& workers,
                                                 const std::vector<Example>& examples,
                                                 std::size_t batch_size = 64);

/// One thread for BLAS, since ours are already one a core; and memory that is freed is kept, since
/// the next batch needs as much. To be called once, before training.
void prepare_process();

} // namespace seq2seq
