#pragma once

// What the wrong versions of lesson 04 are put together from, right and wrong pieces alike.

#include <algorithm>
#include <cmath>

#include "aggregation.hpp"
#include "support/oracle.hpp"

namespace wrong {

using lesson::Matrix;

inline Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

inline double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

inline Matrix softmax(const Matrix& scores) {
    return oracle::softmax_rows(scores);
}

inline Matrix matmul(const Matrix& A, const Matrix& B) {
    return oracle::matmul(A, B);
}

inline Matrix softmax_of_columns(const Matrix& scores) {
    return transposed(softmax(transposed(scores)));
}

inline Matrix softmax_of_everything(const Matrix& scores) {
    const Matrix terms = xt::exp(scores - xt::amax(scores)());
    return terms / xt::sum(terms)();
}

/// 1 for the largest weight of each row, 0 for the others.
inline Matrix hard(const Matrix& weights) {
    Matrix result = xt::zeros<double>({weights.shape(0), weights.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const auto row = xt::view(weights, i, xt::all());
        const auto best = std::max_element(row.begin(), row.end()) - row.begin();
        result(i, static_cast<std::size_t>(best)) = 1;
    }
    return result;
}

inline Matrix equal_shares(std::size_t n_queries, std::size_t n_keys) {
    return xt::ones<double>({n_queries, n_keys}) / static_cast<double>(n_keys);
}

inline Matrix right_weights(const Matrix& Q, const Matrix& K) {
    return softmax(oracle::scaled_scores(Q, K));
}

} // namespace wrong
