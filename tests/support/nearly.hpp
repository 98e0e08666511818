#pragma once

#include <vector>

#include "attention/tensor.hpp"

/// What an incomplete look takes for something special: all but one of its numbers are. There is
/// one for every element, so whichever of them is not looked at shows.
namespace drawn {

/// The array itself, and then the same with one element changed, for each of its elements.
template <class Array, class Change>
std::vector<Array> each_changed(const Array& array, Change change) {
    std::vector<Array> result{array};
    for (std::size_t at = 0; at < array.size(); ++at) {
        result.push_back(array);
        result.back().data()[at] = change(array.data()[at]);
    }
    return result;
}

/// X and what is equal to it but for one element: for arguments that are compared.
inline std::vector<attention::Matrix> nearly(const attention::Matrix& X) {
    return each_changed(X, [](double x) { return x + 0.5; });
}

inline std::vector<attention::Vector> nearly(const attention::Vector& x) {
    return each_changed(x, [](double number) { return number + 0.5; });
}

/// Ones on the diagonal, and rows and columns that sum to 1, as the identity's; with n < 3 it is.
inline attention::Matrix sums_of_an_identity(std::size_t n) {
    attention::Matrix X = xt::eye<double>(n);
    for (std::size_t i = 0; i < n && n > 2; ++i) {
        X(i, (i + 1) % n) = 0.5;
        X(i, (i + 2) % n) = -0.5;
    }
    return X;
}

/// The identity, and what is the identity but for one element, or in its diagonal and its sums.
inline std::vector<attention::Matrix> nearly_identity(std::size_t n) {
    std::vector<attention::Matrix> result = nearly(attention::Matrix(xt::eye<double>(n)));
    result.push_back(sums_of_an_identity(n));
    return result;
}

/// Zeros, what is zero but for one element, and, with more than one column, rows of which each has
/// a sum of 0 but is none of zeros.
inline std::vector<attention::Matrix> nearly_zero(std::size_t rows, std::size_t columns) {
    attention::Matrix zeros = attention::Matrix::from_shape({rows, columns});
    zeros.fill(0);
    std::vector<attention::Matrix> result = nearly(zeros);
    if (columns > 1) {
        attention::Matrix cancelling = zeros;
        for (std::size_t i = 0; i < rows; ++i) {
            cancelling(i, i % columns) = 1;
            cancelling(i, (i + 1) % columns) = -1;
        }
        result.push_back(cancelling);
    }
    return result;
}

/// A mask, and the same with one place turned round, for each of its places: nearly causal, nearly
/// all allowed, nearly none.
template <class Mask>
std::vector<Mask> nearly_mask(const Mask& mask) {
    return each_changed(mask, [](bool allowed) { return !allowed; });
}

} // namespace drawn
