#pragma once

#include "attention/random.hpp"
#include "judge/redraw.hpp"

/// What graders draw their inputs from: attention's random numbers, drawn anew in a run with
/// --seed.
namespace drawn {

inline attention::Vector standard_normal(std::size_t n, std::uint64_t seed) {
    return attention::standard_normal(n, judge::redrawn(seed));
}

inline attention::Matrix standard_normal(std::size_t rows, std::size_t columns,
                                         std::uint64_t seed) {
    return attention::standard_normal(rows, columns, judge::redrawn(seed));
}

/// Rows that share their first and their last number and their sum, to the last bit, and are all
/// different: each is the first with something taken from one number between its ends and given to
/// another. What tells rows or matrices apart by less than all of their numbers takes them for one.
inline attention::Matrix look_alikes(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    // Multiples of 1/64, of which sums are exact.
    const attention::Vector row = xt::round(64 * standard_normal(columns, seed)) / 64;
    attention::Matrix alike = attention::Matrix::from_shape({rows, columns});
    const std::size_t between = columns - 2;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            alike(i, j) = row(j);
        }
        alike(i, 1 + i % between) += static_cast<double>(i) / 4;
        alike(i, 1 + (i + 1) % between) -= static_cast<double>(i) / 4;
    }
    return alike;
}

inline attention::Matrix upside_down(const attention::Matrix& A) {
    attention::Matrix turned = A;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        xt::row(turned, static_cast<std::ptrdiff_t>(i)) =
            xt::row(A, static_cast<std::ptrdiff_t>(A.shape(0) - 1 - i));
    }
    return turned;
}

} // namespace drawn
