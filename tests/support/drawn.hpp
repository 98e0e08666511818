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

/// The same with exact zeros among the numbers: each row and each column has some, first, last and
/// between, and of more than three rows one is 0 throughout, and so is one column of more than
/// three. What takes a 0 for an end, or for nothing at all, shows.
inline attention::Matrix with_zeros(attention::Matrix A) {
    const std::size_t rows = A.shape(0), columns = A.shape(1);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const bool in_empty_row = rows > 3 && i == rows / 2;
            const bool in_empty_column = columns > 3 && j == columns / 3;
            if ((i + j) % 3 == 0 || in_empty_row || in_empty_column) {
                A(i, j) = 0;
            }
        }
    }
    return A;
}

/// Every third number is 0, the first among them.
inline attention::Vector with_zeros(attention::Vector numbers) {
    for (std::size_t j = 0; j < numbers.size(); j += 3) {
        numbers(j) = 0;
    }
    return numbers;
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
