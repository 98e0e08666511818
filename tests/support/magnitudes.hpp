#pragma once

// Numbers far from 1, tiny ones and huge ones: what compares them with a fixed bound, or keeps them
// between two, shows.

#include <array>
#include <vector>

#include "judge/session.hpp"
#include "support/drawn.hpp"

namespace drawn {

/// Squares of them are doubles, too; those of a float are not.
inline constexpr std::array<double, 6> magnitudes{1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100};

using Pair = std::array<attention::Matrix, 2>;

/// A and B, one of them or both at each magnitude.
inline std::vector<Pair> at_all_magnitudes(const attention::Matrix& A, const attention::Matrix& B) {
    std::vector<Pair> pairs;
    for (const double size : magnitudes) {
        pairs.push_back({size * A, B});
        pairs.push_back({A, size * B});
        pairs.push_back({size * A, size * B});
    }
    return pairs;
}

/// A row of numbers around 1, one of them at each magnitude, and another row in which the one that
/// is multiplied with it is as large as that is small: their product counts like any other.
inline std::vector<Pair> with_one_far_from_1(std::uint64_t seed) {
    std::vector<Pair> pairs;
    for (const double size : magnitudes) {
        Pair rows{standard_normal(1, 5, seed), standard_normal(1, 5, seed + 1)};
        rows[0](0, 2) *= size;
        rows[1](0, 2) /= size;
        pairs.push_back(rows);
    }
    return pairs;
}

/// Rows of numbers among which one, at each place in turn, or two are so small that a sum is the
/// same without them, in whatever order it is taken; each row sums to 8.
inline attention::Matrix with_some_too_small_to_change_a_sum() {
    constexpr double tiny = 1e-20;
    return {{tiny, 1, 4, 2, 1},    {1, tiny, 4, 2, 1},    {4, 1, tiny, 2, 1},
            {1, 2, 4, tiny, 1},    {1, 4, 2, 1, tiny},    {2, tiny, 2, tiny, 4},
            {tiny, 2, tiny, 2, 4}, {2, tiny, tiny, 4, 2}, {1, 1, tiny, tiny, 6}};
}

/// For a test case that has asked for numbers around 1 before, and found them right.
inline void suspect_a_fixed_bound() {
    judge::session().suspect(
        {"looks_like_wrong_far_from_1",
         "it is right where numbers are around 1, and wrong here, where some are far smaller or "
         "larger. Is something compared with a fixed bound such as 1e-9, kept between two, or held "
         "in a smaller type than double? Or does a square or a product on the way over- or "
         "underflow? A tiny number is no rounding error: it counts like any other, and so does a "
         "huge one."});
}

} // namespace drawn
