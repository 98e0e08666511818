#pragma once

// The inner loops of streaming attention, apart so that they can be compiled for the machine at
// hand. Plain pointers: xtensor's inline code must not be compiled twice with different
// instructions. T is float or double throughout.

#include "attention/head.hpp"

namespace attention {

/// This many queries are one piece of work.
constexpr std::size_t query_block = 128;

/// Kᵀ in the kernel's order, made once for a head and read by all its query blocks.
///   packed  packed_keys_size(n_keys, d_k) numbers
template <class T>
std::size_t packed_keys_size(std::size_t n_keys, std::size_t d_k);
template <class T>
void pack_keys(const T* K, std::size_t n_keys, std::size_t d_k, T* packed);

/// The forward for `count` queries from `first` on, count ≤ query_block.
///   scratch  forward_scratch_size(d_k, d_v) numbers
///   output (n_queries, d_v)   logsumexp (n_queries): rows first … first + count of both
template <class T>
std::size_t forward_scratch_size(std::size_t d_k, std::size_t d_v);
template <class T>
void forward_block(const Head<T>& head, const T* packed_keys, std::size_t first, std::size_t count,
                   T* scratch, T* output, T* logsumexp);

} // namespace attention
