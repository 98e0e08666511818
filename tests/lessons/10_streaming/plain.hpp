#pragma once

// What the right answers of this lesson are, in plain loops, and the same with parts that a
// misconception may exchange for wrong ones. Of the contract it uses only the checks that stand in
// the stubs.

#include <cmath>
#include <functional>
#include <vector>

#include "streaming.hpp"
#include "support/oracle_attention.hpp"

namespace plain {

using lesson::infinity;
using lesson::Mask;
using lesson::Matrix;
using lesson::MatrixF;
using lesson::Partial;
using lesson::Streamed;
using lesson::Vector;
using OptionalMask = std::optional<Mask>;
using oracle::Row;

inline double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

inline double dot(const Matrix& A, std::size_t i, const Matrix& B, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < A.shape(1); ++c) {
        sum += A(i, c) * B(j, c);
    }
    return sum;
}

/// 10.1 in long double.
inline Partial merge(const Partial& a, const Partial& b) {
    const long double maximum = std::max(a.maximum, b.maximum);
    if (std::isinf(maximum)) {
        return a;
    }
    const long double of_a = std::exp(a.maximum - maximum), of_b = std::exp(b.maximum - maximum);
    Partial result{static_cast<double>(maximum), static_cast<double>(of_a * a.sum + of_b * b.sum),
                   a.output};
    for (std::size_t c = 0; c < a.output.size(); ++c) {
        result.output(c) = static_cast<double>(of_a * a.output(c) + of_b * b.output(c));
    }
    return result;
}

/// The weights of one query, and its logsumexp; all 0 and −∞ if it sees nothing.
struct Weighed {
    Row weights;
    long double logsumexp;
};
inline Weighed weighed(const Matrix& Q, const Matrix& K, const OptionalMask& mask, std::size_t i) {
    Row scores(K.shape(0));
    long double maximum = -infinity, sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        long double score = 0;
        for (std::size_t c = 0; c < Q.shape(1); ++c) {
            score += static_cast<long double>(Q(i, c)) * static_cast<long double>(K(j, c));
        }
        const bool allowed = !mask || (*mask)(i, j);
        scores[j] = allowed ? score / std::sqrt(static_cast<long double>(Q.shape(1)))
                            : -static_cast<long double>(infinity);
        maximum = std::max(maximum, scores[j]);
    }
    if (std::isinf(maximum)) {
        return {Row(scores.size(), 0.0L), maximum};
    }
    for (long double& score : scores) {
        score = std::exp(score - maximum);
        sum += score;
    }
    for (long double& weight : scores) {
        weight /= sum;
    }
    return {scores, maximum + std::log(sum)};
}

/// 10.2 in long double, of some queries: the rows that are asked for.
inline Streamed attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                          const OptionalMask& mask = {}) {
    const std::size_t n_queries = Q.shape(0), d_v = V.shape(1);
    Streamed result{xt::zeros<double>({n_queries, d_v}), xt::zeros<double>({n_queries})};
    for (std::size_t i = 0; i < n_queries; ++i) {
        const Weighed row = weighed(Q, K, mask, i);
        result.logsumexp(i) = static_cast<double>(row.logsumexp);
        for (std::size_t c = 0; c < d_v; ++c) {
            long double sum = 0;
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                sum += row.weights[j] * static_cast<long double>(V(j, c));
            }
            result.output(i, c) = static_cast<double>(sum);
        }
    }
    return result;
}

inline Mask causal_mask(std::size_t n_queries, std::size_t n_keys) {
    Mask mask = Mask::from_shape({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            mask(i, j) = j <= i;
        }
    }
    return mask;
}

/// 10.5 in long double, from the weights themselves.
inline lesson::AttentionGradients backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                           const Matrix& d_output, const OptionalMask& mask = {}) {
    const std::size_t n_keys = K.shape(0), d_k = K.shape(1), d_v = V.shape(1);
    const long double divisor = std::sqrt(static_cast<long double>(d_k));
    std::vector<Row> d_Q(Q.shape(0), Row(d_k)), d_K(n_keys, Row(d_k)), d_V(n_keys, Row(d_v));
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        const Row p = weighed(Q, K, mask, i).weights;
        Row d_weights(n_keys, 0.0L);
        long double mean = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; c < d_v; ++c) {
                const long double d_o = d_output(i, c);
                d_weights[j] += d_o * static_cast<long double>(V(j, c));
                d_V[j][c] += p[j] * d_o;
            }
            mean += p[j] * d_weights[j];
        }
        for (std::size_t j = 0; j < n_keys; ++j) {
            const long double d_score = p[j] * (d_weights[j] - mean) / divisor;
            for (std::size_t c = 0; c < d_k; ++c) {
                d_Q[i][c] += d_score * static_cast<long double>(K(j, c));
                d_K[j][c] += d_score * static_cast<long double>(Q(i, c));
            }
        }
    }
    const auto matrix = [](const std::vector<Row>& rows) {
        Matrix result = Matrix::from_shape({rows.size(), rows[0].size()});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t c = 0; c < rows[i].size(); ++c) {
                result(i, c) = static_cast<double>(rows[i][c]);
            }
        }
        return result;
    };
    return {matrix(d_Q), matrix(d_K), matrix(d_V)};
}

} // namespace plain
