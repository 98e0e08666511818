#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// Scores to weights: softmax(s)_j = exp(s_j − m) / Σ_i exp(s_i − m), m = max s. Any m gives the
/// same quotient; the maximum makes the largest term 1, so nothing overflows and the sum is never 0
/// (Blanchard, Higham and Higham 2021, "Accurately computing the log-sum-exp and softmax
/// functions").
///   scores (n)
///   returns weights (n), each in [0, 1], with sum 1; empty if scores is
/// Finite scores give finite weights, whatever their size. Otherwise:
///   −∞ beside a finite score weighs exactly 0;
///   a NaN or a +∞ anywhere, or nothing but −∞, makes every weight NaN, as the formula does.
Vector softmax(const Vector& scores);

/// softmax of each row.
///   scores (n_queries, n_keys)
///   returns weights (n_queries, n_keys), each row of which sums to 1
/// What softmax does with scores that are not finite applies row by row; other rows are unaffected.
Matrix softmax_rows(const Matrix& scores);
MatrixF softmax_rows(const MatrixF& scores);

/// How each weight moves with each score: ∂p_i/∂s_j = p_i (δ_ij − p_j), that is diag(p) − p pᵀ.
///   p (n), weights that came out of a softmax (not checked)
///   returns (n, n), symmetric, each row of which sums to 0
Matrix softmax_jacobian(const Vector& p);

} // namespace attention
