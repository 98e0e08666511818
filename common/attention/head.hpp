#pragma once

// One head as kernels see it: plain pointers, because xtensor's inline code must not be compiled
// twice with different instructions.

#include <cstddef>

namespace attention {

/// What each query of a head may see. A stride of 0 repeats; a null pointer blocks nothing.
struct HeadMask {
    const bool* allowed = nullptr;
    std::size_t row_stride = 0, key_stride = 0;
    bool is_causal = false;

    bool allows(std::size_t i, std::size_t j) const {
        return (!is_causal || j <= i) &&
               (allowed == nullptr || allowed[i * row_stride + j * key_stride]);
    }
};

/// One element of a batch; rows follow each other without gaps.
template <class T>
struct Head {
    const T* Q = nullptr; // (n_queries, d_k)
    const T* K = nullptr; // (n_keys, d_k)
    const T* V = nullptr; // (n_keys, d_v)
    std::size_t n_queries = 0, n_keys = 0, d_k = 0, d_v = 0;
    double scale = 1;
    HeadMask mask = {};
};

} // namespace attention
