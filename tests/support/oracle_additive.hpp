#pragma once

// Bahdanau's score in plain loops, in long double: see oracle.hpp.

#include "support/oracle.hpp"

namespace oracle {

/// v · tanh(q_i + k_j) of projected queries (n_queries, d_a) and keys (n_keys, d_a).
inline Matrix scores_of_projected(const Matrix& queries, const Matrix& keys, const Vector& v) {
    expect_equal(queries.shape(1), v.size());
    expect_equal(keys.shape(1), v.size());
    Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            long double score = 0;
            for (std::size_t a = 0; a < v.size(); ++a) {
                const long double sum =
                    static_cast<long double>(queries(i, a)) + static_cast<long double>(keys(j, a));
                score += static_cast<long double>(v(a)) * std::tanh(sum);
            }
            scores(i, j) = static_cast<double>(score);
        }
    }
    return scores;
}

inline Matrix additive_scores(const Matrix& S, const Matrix& H, const Matrix& W_s,
                              const Matrix& W_h, const Vector& v) {
    return scores_of_projected(matmul(S, W_s), matmul(H, W_h), v);
}

inline Matrix additive_scores_from(const Matrix& S, const Matrix& keys, const Matrix& W_s,
                                   const Vector& v) {
    return scores_of_projected(matmul(S, W_s), keys, v);
}

} // namespace oracle
