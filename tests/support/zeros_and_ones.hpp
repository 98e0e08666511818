#pragma once

#include <array>
#include <bit>
#include <vector>

#include "attention/tensor.hpp"

/// What continuous distributions and pairwise different sizes never are.
namespace drawn {

/// X with exact zeros: one in each row, the first of some, the last of others; then its first row,
/// one between and the last one; then the columns; then all of it.
inline std::vector<attention::Matrix> each_with_zeros(const attention::Matrix& X) {
    const std::size_t rows = X.shape(0), columns = X.shape(1);
    std::vector<attention::Matrix> result(8, X);
    for (std::size_t i = 0; i < rows; ++i) {
        result[0](i, i % 3 == 0 ? 0 : i % 3 == 1 ? columns - 1 : columns / 2) = 0;
    }
    std::size_t next = 1;
    for (const std::size_t row : {std::size_t{0}, rows / 2, rows - 1}) {
        xt::view(result[next++], row, xt::all()) = 0;
    }
    for (const std::size_t column : {std::size_t{0}, columns / 2, columns - 1}) {
        xt::view(result[next++], xt::all(), column) = 0;
    }
    result[next].fill(0);
    return result;
}

/// The same of a vector: the first, one between, the last, all of it.
inline std::vector<attention::Vector> each_with_zeros(const attention::Vector& x) {
    std::vector<attention::Vector> result(4, x);
    std::size_t next = 0;
    for (const std::size_t i : {std::size_t{0}, x.size() / 2, x.size() - 1}) {
        result[next++](i) = 0;
    }
    result[next].fill(0);
    return result;
}

/// X in multiples of 1/64, whose rows, or columns, each sum to 0, exactly: the last number is what
/// is left to it. What takes a sum of 0 for nothing but zeros shows.
inline std::vector<attention::Matrix> each_summing_to_zero(const attention::Matrix& X) {
    std::vector<attention::Matrix> result(2, attention::Matrix(xt::round(64 * X) / 64));
    const std::size_t rows = X.shape(0), columns = X.shape(1);
    xt::view(result[0], xt::all(), columns - 1) = 0;
    xt::view(result[1], rows - 1, xt::all()) = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            result[0](i, columns - 1) -= j + 1 < columns ? result[0](i, j) : 0;
            result[1](rows - 1, j) -= i + 1 < rows ? result[1](i, j) : 0;
        }
    }
    return result;
}

/// These sizes, and all that they become where some of them are 1: up to at_most, or all.
template <std::size_t N>
std::vector<std::array<std::size_t, N>> with_ones(const std::array<std::size_t, N>& sizes,
                                                  int at_most = N) {
    std::vector<std::array<std::size_t, N>> result;
    for (std::size_t chosen = 0; chosen < (std::size_t{1} << N); ++chosen) {
        if (std::popcount(chosen) > at_most && std::popcount(chosen) < static_cast<int>(N)) {
            continue;
        }
        std::array<std::size_t, N> some = sizes;
        for (std::size_t k = 0; k < N; ++k) {
            some[k] = (chosen >> k & 1U) != 0 ? 1 : sizes[k];
        }
        result.push_back(some);
    }
    return result;
}

} // namespace drawn
