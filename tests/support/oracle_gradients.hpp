#pragma once

// The oracle, continued: gradients on their way back, index by index.

#include "support/oracle_attention.hpp"

namespace oracle {

using Wide = xt::xtensor<Real, 2>;

/// p (g − Σ p g) of each row.
inline Wide softmax_backward(const Wide& p, const Wide& g) {
    expect_equal(p.shape(0), g.shape(0));
    expect_equal(p.shape(1), g.shape(1));
    Wide result = p;
    for (std::size_t i = 0; i < p.shape(0); ++i) {
        const Real mean = dot(row_of(p, i), row_of(g, i), p.shape(1));
        for (std::size_t k = 0; k < p.shape(1); ++k) {
            result(i, k) *= g(i, k) - mean;
        }
    }
    return result;
}

inline Matrix softmax_backward(const Matrix& weights, const Matrix& d_weights) {
    return xt::cast<double>(softmax_backward(Wide(weights), Wide(d_weights)));
}

struct ProductGradients {
    Matrix d_A, d_B;
};

/// C_ij = Σ_k A_ik B_kj: A_ik gets B_kj times d_C_ij, and B_kj gets A_ik times it.
inline ProductGradients matmul_backward(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    expect_equal(A.shape(1), B.shape(0));
    return {matmul_transposed(d_C, B), matmul(Matrix(xt::transpose(A)), d_C)};
}

inline ProductGradients matmul_transposed_backward(const Matrix& A, const Matrix& B,
                                                   const Matrix& d_C) {
    const auto [d_A, d_B] = matmul_backward(A, Matrix(xt::transpose(B)), d_C);
    return {d_A, xt::transpose(d_B)};
}

struct AttentionGradients {
    Matrix d_Q, d_K, d_V;
};

/// Pair by pair of a query and a key that it sees. What is at padding is never read.
inline AttentionGradients attention_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                             const Mask& mask, const Matrix& weights,
                                             const Matrix& d_output) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0), d_k = Q.shape(1);
    const Real root = std::sqrt(Real(d_k));
    const auto d_weights = filled<Real>(n_queries, n_keys, [&](std::size_t i, std::size_t j) {
        return mask(i, j) ? dot(row_of(d_output, i), row_of(V, j), V.shape(1)) : 0;
    });
    const Wide d_scores = softmax_backward(Wide(weights), d_weights) / root;
    const auto to_query = [&](std::size_t i, std::size_t c) {
        return sum(n_keys,
                   [&](std::size_t j) { return mask(i, j) ? d_scores(i, j) * K(j, c) : 0; });
    };
    /// Σ_i factors_ij A_ic over the queries that see key j.
    const auto to_keys = [&](const auto& factors, const Matrix& A) {
        return filled(n_keys, A.shape(1), [&](std::size_t j, std::size_t c) {
            return sum(n_queries, [&](std::size_t i) {
                return mask(i, j) ? Real(factors(i, j)) * A(i, c) : 0;
            });
        });
    };
    return {filled(n_queries, d_k, to_query), to_keys(d_scores, Q), to_keys(weights, d_output)};
}

} // namespace oracle
