#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// The dot product of every query with every key: Q Kᵀ  (Luong et al. 2015, §3.1, "dot").
///   Q (n_queries, d_k)   K (n_keys, d_k); they may be the same array
///   returns (n_queries, n_keys)
/// Throws std::invalid_argument if Q and K differ in d_k.
Matrix raw_scores(const Matrix& Q, const Matrix& K);

/// The same, divided by the standard deviation that a dot product of standard normal vectors has:
/// Q Kᵀ / √d_k  (Vaswani et al. 2017, §3.2.1).
///   Q (n_queries, d_k)   K (n_keys, d_k); they may be the same array
///   returns (n_queries, n_keys)
/// Throws std::invalid_argument if Q and K differ in d_k, or d_k is 0 (0 / √0 is not a score).
Matrix scaled_scores(const Matrix& Q, const Matrix& K);

} // namespace attention
