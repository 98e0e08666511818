#pragma once

// What lesson 11 asks for as plainly as it can be said: loops, in long double, that call neither
// the library nor one another's shortcuts. The block of 11.1: plain_block.hpp.

#include <cmath>

#include "exports.hpp"

namespace plain {

using in_turn::Indices;
using lesson::Matrix;
using lesson::Vector;
using Real = long double;

// ---- 11.2

/// Attention of row i of Q over those rows of K and V that are seen.
inline void attend_row(const Matrix& K, const Matrix& V, const Matrix& Q, std::size_t i,
                       const std::vector<std::size_t>& seen, Matrix& output) {
    const std::size_t d_k = K.shape(1);
    std::vector<Real> weights;
    Real largest = 0, sum = 0;
    for (const std::size_t j : seen) {
        Real score = 0;
        for (std::size_t c = 0; c < d_k; ++c) {
            score += Real(Q(i, c)) * Real(K(j, c));
        }
        weights.push_back(score / std::sqrt(Real(d_k)));
        largest = weights.size() == 1 ? weights[0] : std::max(largest, weights.back());
    }
    for (Real& weight : weights) {
        weight = std::exp(weight - largest);
        sum += weight;
    }
    for (std::size_t c = 0; c < V.shape(1); ++c) {
        Real mixed = 0;
        for (std::size_t k = 0; k < seen.size(); ++k) {
            mixed += weights[k] / sum * Real(V(seen[k], c));
        }
        output(i, c) = static_cast<double>(mixed);
    }
}

inline Matrix attend(const Matrix& K, const Matrix& V, const Matrix& Q) {
    Matrix output = Matrix::from_shape({Q.shape(0), V.shape(1)});
    std::vector<std::size_t> all;
    for (std::size_t j = 0; j < K.shape(0); ++j) {
        all.push_back(j);
    }
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        attend_row(K, V, Q, i, all, output);
    }
    return output;
}

inline Matrix append(const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
    Matrix output = Matrix::from_shape({Q.shape(0), V.shape(1)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        std::vector<std::size_t> seen;
        for (std::size_t j = 0; j <= i; ++j) {
            if (cache[j] == cache[i]) {
                seen.push_back(j);
            }
        }
        attend_row(K, V, Q, i, seen, output);
    }
    return output;
}

inline Matrix copied(const Matrix& K, const Matrix& V, const Matrix& Q, std::size_t n_before) {
    const std::size_t n = K.shape(0);
    Matrix output = Matrix::from_shape({3 + (n - n_before) + 3 + 2, V.shape(1)});
    std::vector<std::size_t> seen[3];
    for (std::size_t j = 0; j < n_before; ++j) {
        for (auto& each : seen) {
            each.push_back(j);
        }
    }
    std::size_t next = 0;
    const auto ask = [&](std::size_t whom, std::size_t i) {
        Matrix answer = Matrix::from_shape({1, V.shape(1)});
        attend_row(K, V, xt::view(Q, xt::range(i, i + 1), xt::all()), 0, seen[whom], answer);
        xt::view(output, next++, xt::all()) = xt::view(answer, 0, xt::all());
    };
    for (const std::size_t whom : {0U, 1U, 2U}) {
        ask(whom, 0);
    }
    for (std::size_t i = n_before; i < n; ++i) {
        seen[(i - n_before) % 3].push_back(i);
        ask((i - n_before) % 3, i);
    }
    for (const std::size_t whom : {0U, 1U, 2U, 1U, 2U}) {
        ask(whom, n - 1);
    }
    return output;
}

// ---- 11.4

inline Real mean_surprise(const Vector& log_probabilities) {
    Real sum = 0;
    for (const double each : log_probabilities) {
        sum -= each;
    }
    return sum / Real(log_probabilities.size());
}

inline double perplexity(const Vector& log_probabilities) {
    return static_cast<double>(std::exp(mean_surprise(log_probabilities)));
}

inline double bits(const Vector& log_probabilities) {
    return static_cast<double>(mean_surprise(log_probabilities) / std::log(Real(2)));
}

} // namespace plain
