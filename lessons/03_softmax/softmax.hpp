#pragma once

// Lesson 03, softmax: what its exercises promise.
//
//   n_queries  number of queries
//   n_keys     number of keys
//
// In 03.1 to 03.3 no shape can be wrong, so nothing throws. Scores are finite; what one of −∞ means
// is the subject of lesson 05. Results are right to about 10 digits, the small ones as well as the
// large, down to 1e-300: what is computed in float, or as 1 minus the other weights, is not.

#include "attention/tensor.hpp" // Vector, Matrix
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::Vector;

/// 03.1  One row of scores as shares of a whole: exp(s_j) / Σ_k exp(s_k).
///   scores (n_keys), at least one   returns weights (n_keys), none negative, with sum 1
/// Finite scores of any size give finite weights.
Vector softmax(const Vector& scores);

/// 03.2  softmax of every row by itself: each query shares out its own attention.
///   scores (n_queries, n_keys)   returns weights (n_queries, n_keys), each row with sum 1
/// Right for any finite scores, however far a row lies from 0 or from the other rows. There is at
/// least one query and one key.
/// (In xtensor, store maxima and sums in a Matrix before you use them: the page says why.)
Matrix softmax_rows(const Matrix& scores);

/// 03.3  How weight i moves when score j does: ∂p_i/∂s_j, which is diag(p) − p pᵀ.
///   p (n_keys), weights: what a softmax returned, with sum 1
///   returns (n_keys, n_keys), each row with sum 0 but for rounding; where a weight is nearly 1,
///   p − p² loses digits, and the grader allows it
Matrix softmax_jacobian(const Vector& p);

/// 03.4  How strongly a score can move a weight: the largest ∂p_i/∂s_j of each query.
///   Q (n_queries, d_k)   K (n_keys, d_k)   scaled: whether scores are divided by √d_k
///   returns (n_queries), from 0 to 1/4; where a weight is nearly 1, to 1e-14
/// Throws std::invalid_argument with both shapes if Q and K do not share d_k.
Vector largest_derivative(const Matrix& Q, const Matrix& K, bool scaled);

} // namespace lesson
