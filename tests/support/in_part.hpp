#pragma once

// Rows that a look at some of their numbers, at their sum or at their squares takes for others: for
// the row before, or for one of zeros.

#include <utility>
#include <vector>

#include "support/drawn.hpp"

namespace drawn {

/// Each row is the one before with two of its numbers exchanged, which two in all possible ways: so
/// all rows have one sum, one maximum, one length.
inline attention::Matrix two_exchanged(const std::vector<double>& first) {
    std::vector<std::vector<double>> rows{first};
    for (std::size_t a = 0; a < first.size(); ++a) {
        for (std::size_t b = a + 1; b < first.size(); ++b) {
            rows.push_back(rows.back());
            std::swap(rows.back()[a], rows.back()[b]);
        }
    }
    attention::Matrix all = attention::Matrix::from_shape({rows.size(), first.size()});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < first.size(); ++j) {
            all(i, j) = rows[i][j];
        }
    }
    return all;
}

/// Each row is the one before but for a single number, which is another one from row to row.
inline attention::Matrix one_changed(std::size_t columns, std::uint64_t seed) {
    const attention::Matrix two = standard_normal(2, columns, seed);
    attention::Matrix all = attention::Matrix::from_shape({columns + 1, columns});
    for (std::size_t i = 0; i <= columns; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            all(i, j) = two(j < i ? 1 : 0, j);
        }
    }
    return all;
}

/// Rows of five that are nearly 0: only one number is not; or all are as much above 0 as below it;
/// or the largest is 0; or the smallest. Columns have the sum 0 as well. One row is 0.
inline attention::Matrix rows_nearly_zero() {
    const attention::Matrix half{{1.5, 0, 0, 0, 0},      {0, 0.5, 0, 0, 0},
                                 {0, 0, -2, 0, 0},       {0, 0, 0, 1, 0},
                                 {0, 0, 0, 0, 3},        {1, -1, 0, 0, 0},
                                 {0, 2, 0, 0, -2},       {0.5, 0.5, -2, 0.25, 0.75},
                                 {0, -1, -2, -1, 0},     {-2, 0, -1, 0, -0.5},
                                 {1, -0.5, -1, 0.5, 0.0}};
    const std::size_t n = half.shape(0);
    attention::Matrix all = xt::zeros<double>({2 * n + 1, half.shape(1)});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < half.shape(1); ++j) {
            all(2 * i, j) = half(i, j);
            all(2 * n - 1 - 2 * i, j) = -half(i, j);
        }
    }
    return all;
}

} // namespace drawn
