#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// Queries (n, d_k), keys (n, d_k) and values (n, d_v) of one sequence.
struct QKV {
    Matrix Q, K, V;
};

/// The three views that self-attention takes of X: Q = X W_q, K = X W_k, V = X W_v
/// (Vaswani et al. 2017, §3.2.2).
///   X (n, d_model)   W_q (d_model, d_k)   W_k (d_model, d_k)   W_v (d_model, d_v)
///   returns Q (n, d_k), K (n, d_k) and V (n, d_v)
/// Throws std::invalid_argument if a weight differs from X in d_model, or W_q from W_k in d_k.
QKV compute_qkv(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v);

} // namespace attention
