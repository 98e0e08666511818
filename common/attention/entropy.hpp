#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// How evenly each query spreads its attention: H = −Σ p ln p, with 0 ln 0 = 0.
///   weights (n_queries, n_keys), rows that came out of a softmax (not checked)
///   returns nats (n_queries): 0 if one weight is 1, ln n_keys if all are equal; NaN if one is NaN
Vector entropy(const Matrix& weights);

/// The most by which a query's softmax stretches a gradient on its way back: the largest eigenvalue
/// of its Jacobian diag(p) − p pᵀ, accurate to the rounding of the weights.
///   weights (n_queries, n_keys), rows that came out of a softmax (not checked)
///   returns (n_queries): 0 if one weight is 1, 1/n_keys if all are equal and n_keys ≥ 2, ½ at
///   most; NaN if a weight is NaN
Vector gradient_gain(const Matrix& weights);

/// The weight of each query's favourite key.
///   weights (n_queries, n_keys)
///   returns (n_queries); 0 where there are no keys, NaN if a weight is NaN
Vector largest_weight(const Matrix& weights);

} // namespace attention
