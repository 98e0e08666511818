#pragma once

#include "attention/tensor.hpp"

/// Terms that are too small to change a sum, between others that do: 1, 1e-20, 1, 1e-20, 2 have one
/// sum in whatever order they are added.
namespace drawn {

constexpr double too_small = 1e-20;

inline attention::Matrix with_tiny_rows(attention::Matrix X) {
    for (std::size_t i = 1; i + 1 < X.shape(0); i += 2) {
        xt::view(X, i, xt::all()) *= too_small;
    }
    return X;
}

inline attention::Matrix with_tiny_columns(attention::Matrix X) {
    for (std::size_t j = 1; j + 1 < X.shape(1); j += 2) {
        xt::view(X, xt::all(), j) *= too_small;
    }
    return X;
}

} // namespace drawn
