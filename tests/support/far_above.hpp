#pragma once

#include <vector>

#include "support/drawn.hpp"

/// Scores whose last one lies far above the others, as many as leave a rest in blocks of 2, 4, 8
/// and 16: a maximum that looks at whole blocks alone does not see it.
namespace drawn {

inline std::vector<attention::Vector> last_far_above(double by, std::uint64_t seed) {
    std::vector<attention::Vector> all;
    for (const std::size_t n : {5U, 9U, 11U, 13U, 17U, 19U, 33U}) {
        all.push_back(standard_normal(n, seed));
        all.back()(n - 1) = by;
    }
    return all;
}

/// A column of these.
inline attention::Matrix column(const attention::Vector& numbers) {
    attention::Matrix X = attention::Matrix::from_shape({numbers.size(), std::size_t{1}});
    xt::view(X, xt::all(), 0) = numbers;
    return X;
}

} // namespace drawn
