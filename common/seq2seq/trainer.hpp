#pragma once

#include "seq2seq/model.hpp"
#include "training/adam.hpp"

#include <optional>

namespace seq2seq {

using training::Workers;

struct TrainOptions {
    std::size_t batch_size = 64; // sentences
    float learning_rate = 1e-3F;
    float first_dropout = 0.1F; // at the start of a training; rises in a straight line to
    float dropout = 0.3F;       // at its end
    float smoothing = 0.0F;
    float largest_gradient = 1.0F; // its norm; longer ones are cut to it
    std::uint64_t seed = 1;        // of the order of the data and of dropout
};

/// The settings that change from step to step.
struct Pace {
    float rate_factor = 1;        // of the learning rate
    std::optional<float> dropout; // in place of the options'
};

struct TrainedBatch {
    double loss = 0; // nats a target word, mean over the batch
    std::size_t n_target_words = 0;
};

/// Trains a model by Adam on batches, every thread on its own part of each with its own tape. The
/// same options, data and number of threads give the same weights, bit for bit.
class Trainer {
public:
    Trainer(Model<float>& model, Workers& workers, const TrainOptions& options);

    /// One step down the gradient of the mean loss of these sentences.
    TrainedBatch step(const std::vector<Example>& examples, const Ids& sentences,
                      const Pace& pace = {});

    /// Steps taken so far.
    std::uint64_t n_steps() const { return adam_.n_steps(); }
    /// Thread seconds spent on scores and their gradients, and on all of step(), so far.
    double scorer_seconds() const { return scorer_seconds_; }
    double thread_seconds() const { return thread_seconds_; }

    /// All that the next step depends on besides options and data: weights, moments, counts.
    void save(std::ostream& out) const { adam_.save(out); }
    /// Throws std::runtime_error if the data were not saved by a trainer of such a model.
    void load(std::istream& in) { adam_.load(in); }

private:
    Model<float>& model_;
    Workers& workers_;
    TrainOptions options_;
    training::Adam adam_;
    std::atomic<double> scorer_seconds_ = 0;
    double thread_seconds_ = 0;
};

} // namespace seq2seq
