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

/// One part of a head: its query blocks number part, part + parts, part + 2 · parts, …
///   scratch  backward_scratch_size numbers
///   dQ (n_queries, d_k): the rows of these blocks are written
///   sums  backward_sums_size numbers: the part's share of dK and dV, in the kernel's order
///   dK (n_keys, d_k)   dV (n_keys, d_v): written where sums is null, which it is for a size of 0:
///   one part, whose columns fill the kernel's panels, needs no memory but the result's
template <class T>
std::size_t backward_scratch_size(const Head<T>& head);
template <class T>
std::size_t backward_sums_size(const Head<T>& head, std::size_t parts);
template <class T>
void backward_part(const Head<T>& head, const HeadGradient<T>& gradient, std::size_t part,
                   std::size_t parts, T* scratch, T* dQ, T* dK, T* dV, T* sums);

/// All parts' shares, added in order into the first, and out of the kernel's order.
///   dK (n_keys, d_k)   dV (n_keys, d_v)
template <class T>
void add_parts(const Head<T>& head, T* const* sums, std::size_t parts, T* dK, T* dV);

} // namespace attention
