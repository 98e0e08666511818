#pragma once

#include "attention/tensor.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace attention {

/// What to sweep. Each trial is one matrix of n_queries queries and one of n_keys keys.
struct SweepOptions {
    std::size_t n_keys = 64;
    std::size_t n_queries = 64;
    std::size_t max_dk = 1024;
    std::size_t trials = 100;
    std::uint64_t seed = 1;
    std::size_t threads = 0; // 0: as many as the machine runs at once

    /// The d_k, rising, at which gradient gains are measured: each of them costs as much as ten d_k
    /// without.
    std::vector<std::size_t> gain_dks;

    /// Called after every trial: done is 1, 2, …
    std::function<void(std::size_t done, std::size_t trials)> progress;
};

/// Queries and keys of one trial, all standard normal; d_k sees their first d_k columns.
struct SweepInputs {
    Matrix Q; // (n_queries, max_dk)
    Matrix K; // (n_keys, max_dk)
};

/// The random numbers of one trial of entropy_sweep; they depend on seed, trial and the three sizes
/// alone.
SweepInputs sweep_inputs(const SweepOptions& options, std::size_t trial);

/// One number over d_k = 1…max_dk (d_k is at index d_k − 1). A trial's number is the mean over its
/// queries, which share their keys and so are not independent; trials are.
struct SweepBand {
    Vector mean;      // over trials
    Vector deviation; // standard deviation of one trial (n − 1); NaN of a single trial
};

/// The quartiles over all queries of all trials, at each of gain_dks.
struct SweepQuartiles {
    Vector lower, median, upper;
};

struct SweepArm {
    SweepBand entropy; // nats
    SweepBand largest_weight;
    SweepQuartiles gradient_gain; // as in attention/entropy.hpp
};

struct EntropySweep {
    SweepArm unscaled; // softmax(Q Kᵀ)
    SweepArm scaled;   // softmax(Q Kᵀ / √d_k)
};

/// How the softmax saturates as d_k grows, with and without the scaling, on the same scores: those
/// of d_k are those of d_k − 1 plus one product per pair, so all d_k cost one Q Kᵀ and their
/// exponentials. Computed in float, within 1e-4 of the same in double. The result is the same to
/// the last bit whatever the number of threads.
EntropySweep entropy_sweep(const SweepOptions& options);

} // namespace attention
