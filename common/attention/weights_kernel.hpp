#pragma once

// The inner loops of scaled_dot_product_attention in float, apart so that they can be compiled for
// the machine at hand.

#include "attention/head.hpp"

namespace attention {

/// This many queries are one piece of work: their scores stay in the second-level cache.
constexpr std::size_t weights_block = 32;

/// K and V of one head in the kernel's order, made once and read by all blocks of queries.
///   packed_keys  packed_size(n_keys, d_k) numbers
///   packed_values  packed_size(d_v, n_keys) numbers
std::size_t packed_size(std::size_t in_panels, std::size_t other);
void pack_head(const Head<float>& head, float* packed_keys, float* packed_values);

/// The forward for `count` queries from `first` on, count ≤ weights_block.
///   scratch  weights_scratch_size(head) numbers
///   weights (n_queries, n_keys)   output (n_queries, d_v): rows first … first + count of both
std::size_t weights_scratch_size(const Head<float>& head);
void weights_and_output(const Head<float>& head, const float* packed_keys,
                        const float* packed_values, std::size_t first, std::size_t count,
                        float* scratch, float* weights, float* output);

} // namespace attention
