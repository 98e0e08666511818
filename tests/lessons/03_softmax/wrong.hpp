#pragma once

// What several misconceptions of lesson 03 are made of.

#include "exports.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace wrong {

using lesson::Matrix;
using lesson::Vector;

inline double largest(const Vector& row) {
    double found = -std::numeric_limits<double>::infinity();
    for (const double score : row) {
        found = std::max(found, score);
    }
    return found;
}

inline double sum_of(const Vector& row) {
    double sum = 0;
    for (const double term : row) {
        sum += term;
    }
    return sum;
}

inline Vector mapped(const Vector& row, const std::function<double(double)>& function) {
    Vector result = Vector::from_shape({row.size()});
    for (std::size_t j = 0; j < row.size(); ++j) {
        result(j) = function(row(j));
    }
    return result;
}

inline Vector divided_by_sum(const Vector& terms) {
    const double sum = sum_of(terms);
    return mapped(terms, [=](double term) { return term / sum; });
}

/// exp(s − reference) / Σ exp(s − reference): right for any reference until it over- or underflows.
inline Vector shares(const Vector& row, double reference) {
    return divided_by_sum(mapped(row, [=](double s) { return std::exp(s - reference); }));
}

template <class RowFunction>
auto in_each_row(RowFunction row_function) {
    return [=](const Matrix& scores) -> Matrix {
        Matrix result = Matrix::from_shape({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            const Vector row = xt::row(scores, static_cast<std::ptrdiff_t>(i));
            const Vector wrong = row_function(row);
            xt::row(result, static_cast<std::ptrdiff_t>(i)) = wrong;
        }
        return result;
    };
}

} // namespace wrong

/// A mistake within a row, in 03.1 and in 03.2.
#define WITHIN_A_ROW(name, explanation, ...)                                                       \
    MISCONCEPTION(softmax, name, explanation, __VA_ARGS__);                                        \
    MISCONCEPTION(softmax_rows, name##_in_each_row, explanation, in_each_row(__VA_ARGS__))
