#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "attention/tensor.hpp"

/// What an exercise's contract promises of its arguments, for solutions that rely on it: a grader
/// that makes other calls fails them.
namespace contract {

inline void want(bool kept, const std::string& promise) {
    if (!kept) {
        throw std::logic_error("the grader breaks the contract: " + promise);
    }
}

/// Finite numbers, and no size of 0, in each of the arrays.
template <class... Arrays>
void want_numbers(const Arrays&... arrays) {
    const auto want_one = [](const auto& array) {
        for (const std::size_t size : array.shape()) {
            want(size > 0, "no size is 0");
        }
        for (const double number : array) {
            want(std::isfinite(number), "numbers are finite");
        }
    };
    (want_one(arrays), ...);
}

/// None negative, with the sum 1 but for rounding; or all 0, where that may be.
template <class Row>
void want_weights(const Row& row, const std::string& name, bool may_be_blocked = false) {
    double sum = 0;
    for (const double weight : row) {
        want(weight >= 0, name + " is not negative");
        sum += weight;
    }
    want(std::abs(sum - 1) <= 1e-12 || (may_be_blocked && sum == 0), name + " has the sum 1");
}

inline void want_rows_of_weights(const attention::Matrix& weights, const std::string& name,
                                 bool may_be_blocked = false) {
    want_numbers(weights);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        want_weights(xt::view(weights, i, xt::all()), "a row of " + name, may_be_blocked);
    }
}

} // namespace contract
