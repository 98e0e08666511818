#pragma once

// The inner loops of streaming attention, apart so that they can be compiled for the machine at
// hand. Plain pointers: xtensor's inline code must not be compiled twice with different
// instructions. T is float or double throughout.

#include <cstddef>
#include <limits>

namespace attention {

/// What each query of a head may see. A stride of 0 repeats; a null pointer blocks nothing.
struct HeadMask {
    const bool* allowed = nullptr;
    std::size_t allowed_row = 0, allowed_key = 0;
    const double* added = nullptr; // to the scaled scores; −∞ blocks
    std::size_t added_row = 0, added_key = 0;
    bool is_causal = false;

    bool allows(std::size_t i, std::size_t j) const {
        return (!is_causal || j <= i) &&
               (allowed == nullptr || allowed[i * allowed_row + j * allowed_key]) &&
               addition(i, j) != -std::numeric_limits<double>::infinity();
    }
    double addition(std::size_t i, std::size_t j) const {
        return added == nullptr ? 0.0 : added[i * added_row + j * added_key];
    }
};

/// One head of one batch element; rows follow each other without gaps.
template <class T>
struct Head {
    const T* Q = nullptr; // (n_queries, d_k)
    const T* K = nullptr; // (n_keys, d_k)
    const T* V = nullptr; // (n_keys, d_v)
    std::size_t n_queries = 0, n_keys = 0, d_k = 0, d_v = 0;
    double scale = 1;
    HeadMask mask = {};
};

/// Every buffer of a kernel starts at a multiple of this many bytes.
constexpr std::size_t kernel_alignment = 64;

/// So many queries are one piece of work.
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
