#pragma once

// The sweep's inner loop, on its own so that this one file can be compiled for the machine at hand.
// Plain pointers: xtensor's inline code must not be compiled twice with different instructions.

#include <cstddef>

namespace attention {

/// Sums over all queries.
struct SweepSums {
    double entropy = 0; // nats
    double largest_weight = 0;
};

struct SweepStep {
    SweepSums unscaled, scaled;
};

/// Queries are padded with zeros to a multiple of this: a vector register holds one score of each
/// of several queries, so maxima and sums over keys never leave their lane.
constexpr std::size_t sweep_lanes = 16;

/// n_queries rounded up to whole lanes.
constexpr std::size_t sweep_padded(std::size_t n_queries) {
    return (n_queries + sweep_lanes - 1) / sweep_lanes * sweep_lanes;
}

/// From d_k − 1 to d_k: adds q_i k_j to every score, then measures softmax(scores) and
/// softmax(scale · scores).
///   scores  n_keys · sweep_padded(n_queries) numbers in an order of the kernel's own, 0 at d_k = 0
///   q  component d_k of every query, padded      k  component d_k of every key
SweepStep sweep_step(float* scores, std::size_t n_queries, std::size_t n_keys, const float* q,
                     const float* k, float scale);

/// The gradient gain (attention/entropy.hpp) of softmax(scale · scores) for every query, within
/// 1e-5 of itself.
///   scores  as sweep_step left them      workspace  n_keys · sweep_lanes numbers
///   gains   sweep_padded(n_queries) numbers
void sweep_gains(const float* scores, std::size_t n_queries, std::size_t n_keys, float scale,
                 float* workspace, float* gains);

} // namespace attention
