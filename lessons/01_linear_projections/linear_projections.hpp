#pragma once

// Lesson 01, linear projections: what its exercises promise.
//
//   n        positions in the sequence
//   d_model  components of the input vector at each position
//   d_k      components of a query and of a key      d_v  components of a value
//
// Every size is at least 1, but in 01.3 it may be 0. Numbers are finite, and may be tiny or huge,
// such as 1e-100 or 1e100. Results are right to about 10 digits, as sums in double are; in float
// they are not.

#include "attention/tensor.hpp" // Matrix, shape_text
#include "judge/todo.hpp"       // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;

/// 01.1  One linear map for every position of a sequence: X · W.
///   X (n, d_model)   W (d_model, d_out)   returns (n, d_out)
/// Throws std::invalid_argument, with both shapes in its text, if X and W do not share d_model.
Matrix project(const Matrix& X, const Matrix& W);

/// The three views of one sequence.
struct QKV {
    Matrix Q; // (n, d_k)  what each position looks for
    Matrix K; // (n, d_k)  what it can be found by
    Matrix V; // (n, d_v)  what it has to give
};

/// 01.2  Q = X · W_q, K = X · W_k, V = X · W_v.
///   X (n, d_model)   W_q, W_k (d_model, d_k)   W_v (d_model, d_v)
/// Throws std::invalid_argument, with both shapes in its text, if a weight does not share d_model
/// with X.
QKV compute_qkv(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v);

/// 01.3  Does nothing if X · W exists, and says what is wrong if it does not.
///   X (n, d_model)   W (d_model, d_out)
/// Throws std::invalid_argument, with all four sizes in its text, in any words, if X has not as
/// many columns as W has rows. X of shape (0, 3) fits W of shape (3, 2).
void check_projection(const Matrix& X, const Matrix& W);

} // namespace lesson
