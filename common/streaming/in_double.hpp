#pragma once

// Rows that the kernels cannot do: a NaN or an infinity on the way, a score beyond float's range,
// nothing to attend to. They are done again here, key by key in double, as the plain form does.

#include "streaming/forward_kernel.hpp"

namespace attention {

/// One query's attention.
///   output (d_v)
///   returns logsumexp; −∞ where there is nothing to attend to
template <class T>
double row_in_double(const Head<T>& head, std::size_t i, T* output);

/// One head's gradients, in place of whatever is there.
///   d_output (n_queries, d_v)   dQ (n_queries, d_k)   dK (n_keys, d_k)   dV (n_keys, d_v)
template <class T>
void gradients_in_double(const Head<T>& head, const T* d_output, T* dQ, T* dK, T* dV);

} // namespace attention
