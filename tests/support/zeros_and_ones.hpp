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
