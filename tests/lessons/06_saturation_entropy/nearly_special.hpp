#pragma once

// Rows of weights that are special, and what is special but for a part of one weight.

#include <algorithm>
#include <vector>

#include "attention/tensor.hpp"

namespace nearly_special {

using attention::Matrix;

/// The weights, and then the same with a share of one weight moved to another key, for each of the
/// weights and each other key of its row.
inline std::vector<Matrix> each_moved(const Matrix& weights, double share) {
    std::vector<Matrix> result{weights};
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t from = 0; from < weights.shape(1); ++from) {
            for (std::size_t to = 0; to < weights.shape(1); ++to) {
                if (from != to && weights(i, from) > 0) {
                    const double moved = share * weights(i, from);
                    result.push_back(weights);
                    result.back()(i, from) -= moved;
                    result.back()(i, to) += moved;
                }
            }
        }
    }
    return result;
}

/// All rows equal, all one-hot, all even.
inline const std::vector<Matrix> special{
    {{0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}},
    {{0.125, 0.25, 0.625}, {0.125, 0.25, 0.625}, {0.125, 0.25, 0.625}},
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
    {{1.0 / 3, 1.0 / 3, 1.0 / 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}};

/// The weights in every order, a row each.
inline Matrix every_order(std::vector<double> weights) {
    std::sort(weights.begin(), weights.end());
    std::vector<std::vector<double>> rows;
    do {
        rows.push_back(weights);
    } while (std::next_permutation(weights.begin(), weights.end()));
    Matrix all = Matrix::from_shape({rows.size(), weights.size()});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy(rows[i].begin(), rows[i].end(), &all(i, 0));
    }
    return all;
}

} // namespace nearly_special
