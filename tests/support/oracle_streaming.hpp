#pragma once

// The oracle, continued: attention that returns a logsumexp with its output, as lesson 10 has it.

#include <optional>

#include "support/oracle_attention.hpp"

namespace oracle {

using OptionalMask = std::optional<xt::xtensor<bool, 2>>;

/// Of a lesson's Partial: a maximum m, Σ exp(s − m) and Σ exp(s − m) v of some keys.
template <class Partial>
Partial merge(const Partial& a, const Partial& b) {
    const long double maximum = std::max(a.maximum, b.maximum);
    if (maximum == -infinity) {
        return a;
    }
    const long double of_a = std::exp(a.maximum - maximum), of_b = std::exp(b.maximum - maximum);
    Partial both{static_cast<double>(maximum), static_cast<double>(of_a * a.sum + of_b * b.sum),
                 a.output};
    for (std::size_t c = 0; c < a.output.size(); ++c) {
        both.output(c) = static_cast<double>(of_a * a.output(c) + of_b * b.output(c));
    }
    return both;
}

struct Streamed {
    Matrix output, weights;
    Vector logsumexp; // −∞ where a query sees no key
};

inline Streamed streaming_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                    const OptionalMask& mask = {}) {
    const std::size_t n_queries = Q.shape(0), n_keys = K.shape(0), d_k = Q.shape(1);
    Streamed result{xt::zeros<double>({n_queries, V.shape(1)}),
                    xt::zeros<double>({n_queries, n_keys}), xt::zeros<double>({n_queries})};
    const long double root = std::sqrt(static_cast<long double>(d_k));
    for (std::size_t i = 0; i < n_queries; ++i) {
        Row scores(n_keys), sums(V.shape(1));
        std::vector<char> allowed(n_keys);
        long double maximum = -infinity, sum = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            scores[j] = dot(Q.data() + i * d_k, K.data() + j * d_k, d_k) / root;
            allowed[j] = !mask || (*mask)(i, j);
            maximum = allowed[j] ? std::max(maximum, scores[j]) : maximum;
        }
        const Row weights = masked_softmax_row(scores, allowed);
        for (std::size_t j = 0; j < n_keys; ++j) {
            sum += allowed[j] ? std::exp(scores[j] - maximum) : 0;
            result.weights(i, j) = static_cast<double>(weights[j]);
            for (std::size_t c = 0; c < V.shape(1); ++c) {
                sums[c] += weights[j] * static_cast<long double>(V(j, c));
            }
        }
        std::copy(sums.begin(), sums.end(), &result.output(i, 0));
        result.logsumexp(i) = static_cast<double>(maximum + std::log(sum));
    }
    return result;
}

} // namespace oracle
