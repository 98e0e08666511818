#pragma once

#include "training/parameters.hpp"
#include "training/workers.hpp"

#include <iosfwd>

namespace training {

struct AdamOptions {
    float learning_rate = 1e-3F;
    float largest_gradient = 1.0F; // its norm; longer ones are cut to it
    double beta1 = 0.9, beta2 = 0.999;
    float weight_decay = 0; // of the parameters that decay (Loshchilov and Hutter 2019, AdamW)
};

struct StepResult {
    double loss = 0;
    double gradient_norm = 0;
};

/// Adam (Kingma and Ba 2015) on batches of which every thread works on its own part, with a tape
/// and gradients of its own. The same parameters, losses and number of threads give the same
/// numbers, bit for bit.
class Adam {
public:
    /// A thread's part of the loss, computed on its tape, from parameters whose gradients go to
    /// `gradients`. A missing value means that this thread has nothing to do.
    using PartOfLoss = std::function<autograd::Value(std::size_t part, autograd::Tape& tape,
                                                     Gradients<float>& gradients)>;

    Adam(Parameters<float>& parameters, Workers& workers, const AdamOptions& options);

    /// One step down the gradient of `share` times the sum of all parts; rate_factor: of the
    /// learning rate.
    StepResult step(const PartOfLoss& loss, float share, float rate_factor = 1);

    /// Steps taken so far.
    std::uint64_t n_steps() const { return n_steps_; }

    /// All that the next step depends on besides options and data: parameters, moments, counts.
    void save(std::ostream& out) const;
    /// Throws std::runtime_error if the data were not saved for such parameters.
    void load(std::istream& in);

private:
    double reduce_gradients(); // to the first thread's; returns the norm
    void update(double gradient_norm, float rate_factor);

    Parameters<float>& parameters_;
    Workers& workers_;
    AdamOptions options_;
    std::vector<Gradients<float>> gradients_;                            // of each thread
    std::vector<autograd::Tape> tapes_;                                  // of each thread
    std::vector<autograd::Array<float>> first_moments_, second_moments_; // of each parameter
    std::uint64_t n_steps_ = 0;
};

} // namespace training
