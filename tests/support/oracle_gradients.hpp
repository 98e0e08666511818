#pragma once

// The oracle, continued: gradients on their way back, index by index.

#include "support/oracle_attention.hpp"

namespace oracle {

using Wide = xt::xtensor<long double, 2>;

inline Wide wide_zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<long double>({rows, columns});
}

inline Wide softmax_backward(const Wide& p, const Wide& g) {
    expect_equal(p.shape(0), g.shape(0));
    expect_equal(p.shape(1), g.shape(1));
    Wide result = p;
    for (std::size_t i = 0; i < p.shape(0); ++i) {
        long double sum = 0;
        for (std::size_t k = 0; k < p.shape(1); ++k) {
            sum += p(i, k) * g(i, k);
        }
        for (std::size_t k = 0; k < p.shape(1); ++k) {
            result(i, k) = p(i, k) * (g(i, k) - sum);
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
    expect_equal(A.shape(0), d_C.shape(0));
    expect_equal(B.shape(1), d_C.shape(1));
    Wide d_A = wide_zeros(A.shape(0), A.shape(1)), d_B = wide_zeros(B.shape(0), B.shape(1));
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < B.shape(1); ++j) {
            for (std::size_t k = 0; k < A.shape(1); ++k) {
                const long double g = d_C(i, j);
                d_A(i, k) += g * B(k, j);
                d_B(k, j) += g * A(i, k);
            }
        }
    }
    return {xt::cast<double>(d_A), xt::cast<double>(d_B)};
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
                                             const xt::xtensor<bool, 2>& mask,
                                             const Matrix& weights, const Matrix& d_output) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    Wide d_weights = wide_zeros(n_queries, n_keys), d_V = wide_zeros(n_keys, V.shape(1));
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; mask(i, j) && c < V.shape(1); ++c) {
                const long double g = d_output(i, c);
                d_weights(i, j) += g * V(j, c);
                d_V(j, c) += g * weights(i, j);
            }
        }
    }
    const Wide d_scores = softmax_backward(Wide(weights), d_weights);
    const long double root = std::sqrt(static_cast<long double>(Q.shape(1)));
    Wide d_Q = wide_zeros(n_queries, Q.shape(1)), d_K = wide_zeros(n_keys, Q.shape(1));
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; mask(i, j) && c < Q.shape(1); ++c) {
                d_Q(i, c) += d_scores(i, j) * K(j, c) / root;
                d_K(j, c) += d_scores(i, j) * Q(i, c) / root;
            }
        }
    }
    return {xt::cast<double>(d_Q), xt::cast<double>(d_K), xt::cast<double>(d_V)};
}

} // namespace oracle
