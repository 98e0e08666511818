#pragma once

// The ways back as plainly as they can be said: index by index, in long double, rounded once.

#include "exports.hpp"
#include "support/oracle_attention.hpp"

namespace plain {

using lesson::AttentionGradients;
using lesson::Learned;
using lesson::Mask;
using lesson::Matrix;
using lesson::ProductGradients;
using lesson::Projections;
using lesson::Table;
using lesson::Vector;
using Wide = xt::xtensor<long double, 2>;

inline Wide zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<long double>({rows, columns});
}

inline Matrix rounded(const Wide& wide) {
    return xt::cast<double>(wide);
}

inline Wide softmax_backward(const Wide& p, const Wide& g) {
    Wide result = p;
    for (std::size_t i = 0; i < p.shape(0); ++i) {
        long double mean = 0;
        for (std::size_t k = 0; k < p.shape(1); ++k) {
            mean += p(i, k) * g(i, k);
        }
        for (std::size_t k = 0; k < p.shape(1); ++k) {
            result(i, k) = p(i, k) * (g(i, k) - mean);
        }
    }
    return result;
}

inline Matrix softmax_backward(const Matrix& weights, const Matrix& d_weights) {
    return rounded(softmax_backward(Wide(weights), Wide(d_weights)));
}

/// C_ij = Σ_k A_ik B_kj: whatever d_C_ij is, A_ik takes B_kj of it, and B_kj takes A_ik.
inline ProductGradients matmul_backward(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    Wide d_A = zeros(A.shape(0), A.shape(1)), d_B = zeros(B.shape(0), B.shape(1));
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < B.shape(1); ++j) {
            for (std::size_t k = 0; k < A.shape(1); ++k) {
                const long double g = d_C(i, j);
                d_A(i, k) += g * B(k, j);
                d_B(k, j) += g * A(i, k);
            }
        }
    }
    return {rounded(d_A), rounded(d_B)};
}

inline ProductGradients matmul_transposed_backward(const Matrix& A, const Matrix& B,
                                                   const Matrix& d_C) {
    const auto [d_A, d_B] = matmul_backward(A, Matrix(xt::transpose(B)), d_C);
    return {d_A, xt::transpose(d_B)};
}

/// Every pair of a query and a key that it sees.
inline AttentionGradients attention_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                             const Mask& mask, const Matrix& weights,
                                             const Matrix& d_output) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0);
    Wide d_weights = zeros(n_queries, n_keys);
    Wide d_V = zeros(n_keys, V.shape(1));
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
    Wide d_Q = zeros(n_queries, Q.shape(1)), d_K = zeros(n_keys, Q.shape(1));
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; mask(i, j) && c < Q.shape(1); ++c) {
                d_Q(i, c) += d_scores(i, j) * K(j, c) / root;
                d_K(j, c) += d_scores(i, j) * Q(i, c) / root;
            }
        }
    }
    return {rounded(d_Q), rounded(d_K), rounded(d_V)};
}

/// The forward pass that 08.3 goes back through.
inline Matrix attention_weights(const Matrix& Q, const Matrix& K, const Mask& mask) {
    return oracle::masked_softmax(oracle::scaled_scores(Q, K), mask);
}

inline double gradient_check(const lesson::ScalarFunction& f, const Vector& x,
                             const Vector& gradient, double h) {
    double error = 0, largest = 0;
    bool nan = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        Vector above = x, below = x;
        above(i) += h;
        below(i) -= h;
        const double difference = (f(above) - f(below)) / (2 * h);
        nan = nan || std::isnan(difference) || std::isnan(gradient(i));
        error = std::max(error, std::abs(gradient(i) - difference));
        largest = std::max({largest, std::abs(gradient(i)), std::abs(difference)});
    }
    return nan ? std::nan("") : largest > 0 ? error / largest : 0;
}

/// Loss and gradients of one table.
struct Step {
    double loss;
    Matrix d_W_q, d_W_k, d_W_v;
};

inline Step step_of(const Table& table, const Projections& W) {
    const Matrix Q = oracle::matmul(table.asked, W.W_q), K = oracle::matmul(table.entries, W.W_k),
                 V = oracle::matmul(table.entries, W.W_v);
    const Mask all = xt::ones<bool>({Q.shape(0), K.shape(0)});
    const Matrix weights = attention_weights(Q, K, all);
    const Matrix error = oracle::matmul(weights, V) - table.wanted;
    const double n_queries = static_cast<double>(Q.shape(0));
    const auto [d_Q, d_K, d_V] = attention_backward(Q, K, V, all, weights, error / n_queries);
    return {xt::sum(xt::square(error))() / (2 * n_queries),
            matmul_backward(table.asked, W.W_q, d_Q).d_B,
            matmul_backward(table.entries, W.W_k, d_K).d_B,
            matmul_backward(table.entries, W.W_v, d_V).d_B};
}

inline Learned learn_lookup(const std::vector<Table>& tables, const Projections& start,
                            std::size_t steps, double rate) {
    Projections W = start;
    Vector losses = Vector::from_shape({steps});
    for (std::size_t t = 0; t < steps; ++t) {
        const Step step = step_of(tables[t % tables.size()], W);
        losses(t) = step.loss;
        W.W_q -= rate * step.d_W_q;
        W.W_k -= rate * step.d_W_k;
        W.W_v -= rate * step.d_W_v;
    }
    return {W.W_q, W.W_k, W.W_v, losses};
}

} // namespace plain
