#pragma once

// The sweep as plainly as it can be said, on the oracle alone.

#include "exports.hpp"
#include "support/oracle_attention.hpp"

namespace plain {

using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;

inline Matrix first_components(const Matrix& X, std::size_t d_k) {
    Matrix first = Matrix::from_shape({X.shape(0), d_k});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t c = 0; c < d_k; ++c) {
            first(i, c) = X(i, c);
        }
    }
    return first;
}

inline double mean_entropy(const Matrix& Q, const Matrix& K, bool scaled) {
    const Matrix scores = scaled ? oracle::scaled_scores(Q, K) : oracle::raw_scores(Q, K);
    const Vector nats = oracle::entropy(oracle::softmax_rows(scores));
    long double sum = 0;
    for (const double h : nats) {
        sum += h;
    }
    return static_cast<double>(sum / static_cast<long double>(nats.size()));
}

inline EntropyCurve sweep(const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
                          bool scaled) {
    EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
    for (std::size_t i = 0; i < d_ks.size(); ++i) {
        curve.entropies(i) =
            mean_entropy(first_components(Q, d_ks[i]), first_components(K, d_ks[i]), scaled);
    }
    return curve;
}

} // namespace plain
