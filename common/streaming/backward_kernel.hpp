#pragma once

// The inner loops of the backward, compiled for the machine at hand like those of the forward. With
// P the weights of a tile, recomputed, and D = Σ dO · O of each query:
//
//     dV += Pᵀ dO     dP = dO Vᵀ     dS = P (dP − D) · scale     dQ += dS K     dK += dSᵀ Q

#include "streaming/forward_kernel.hpp"

namespace attention {

/// What the backward pass needs to know of one head besides its inputs.
template <class T>
struct HeadGradient {
    const T* output;    // (n_queries, d_v)
    const T* logsumexp; // (n_queries)
    const T* d_output;  // (n_queries, d_v)
};

/// The gradients of one head.
///   scratch  backward_scratch_size numbers
///   dQ (n_queries, d_k)   dK (n_keys, d_k)   dV (n_keys, d_v)
template <class T>
std::size_t backward_scratch_size(const Head<T>& head);
template <class T>
void backward_head(const Head<T>& head, const HeadGradient<T>& gradient, T* scratch, T* dQ, T* dK,
                   T* dV);

} // namespace attention
