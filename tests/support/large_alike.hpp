#pragma once

#include <cmath>
#include <vector>

#include "attention/tensor.hpp"

/// Large arrays that differ in a single number, for what keeps an answer and knows its arguments by
/// a part of them.
namespace drawn {

/// The array, and then the same with one number changed: where a look at every second number, or at
/// every third, fourth …, misses it, near the start, in the middle and near the end.
template <class Array, class Change>
std::vector<Array> one_unnoticed(const Array& array, Change change) {
    const std::size_t middle = array.size() / 2;
    std::vector<Array> result{array};
    for (const std::size_t at : {std::size_t{1}, std::size_t{7}, middle - 1 + middle % 2,
                                 array.size() - 3 + array.size() % 2}) {
        result.push_back(array);
        auto& number = result.back().data()[at];
        number = change(number);
    }
    return result;
}

template <class Array>
std::vector<Array> one_unnoticed(const Array& array) {
    return one_unnoticed(array, [](double x) { return x + 0.5; });
}

/// So many components that their root is nearly a whole number, and is none: d_k beside a square.
constexpr std::size_t beside_squares[] = {99, 101, 2499, 2501, 4095, 4097, 9999, 10'001};

/// Rows of one number each, of which row i has a dot product of about i √d with a row of ones:
/// exactly i d / 2^k.
inline attention::Matrix rows_of_one_number(std::size_t n, std::size_t d) {
    attention::Matrix rows = attention::Matrix::from_shape({n, d});
    const double unit = std::ldexp(1.0, -static_cast<int>(std::ilogb(std::sqrt(d))));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows.flat(k) = static_cast<double>(k / d) * unit;
    }
    return rows;
}

} // namespace drawn
