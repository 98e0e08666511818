#pragma once

// The oracle of lesson 11's cache and measures: plain loops in long double. Of its block:
// oracle_block.hpp.

#include <numeric>
#include <vector>

#include "support/oracle_attention.hpp"

namespace oracle {

/// Each query's attention over all keys.   returns (n_queries, d_v)
inline Matrix attend(const Matrix& K, const Matrix& V, const Matrix& Q) {
    return attention(Q, K, V).output;
}

/// Query i's attention over those keys 0 … i that are in the same cache.
inline Matrix append(const Matrix& K, const Matrix& V, const Matrix& Q,
                     const std::vector<std::size_t>& cache) {
    Matrix output = Matrix::from_shape({Q.shape(0), V.shape(1)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        std::vector<std::size_t> seen;
        for (std::size_t j = 0; j <= i; ++j) {
            if (cache[j] == cache[i]) {
                seen.push_back(j);
            }
        }
        const auto rows = [](const Matrix& A, const std::vector<std::size_t>& which) -> Matrix {
            return xt::view(A, xt::keep(which), xt::all());
        };
        xt::view(output, i, xt::all()) =
            xt::view(attend(rows(K, seen), rows(V, seen), rows(Q, {i})), 0, xt::all());
    }
    return output;
}

inline long double mean_surprise(const Vector& log_probabilities) {
    return -std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0L) /
           static_cast<long double>(log_probabilities.size());
}

inline double perplexity(const Vector& log_probabilities) {
    return static_cast<double>(std::exp(mean_surprise(log_probabilities)));
}

inline double bits_per_character(const Vector& log_probabilities) {
    return static_cast<double>(mean_surprise(log_probabilities) / std::log(2.0L));
}

} // namespace oracle
