#pragma once

// What the graders of 07.3 share: arrays of float, and how they are compared.

#include <algorithm>
#include <vector>

#include "judge/compare.hpp"
#include "judge/session.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace float_arrays {

using on_arrays::Array;
using Shape = std::vector<std::size_t>;

constexpr judge::Tolerance in_float{1e-4, 1e-5};

/// A learner's float sums may be added in another order than a misconception's.
inline void compare_in_float(const char* function) {
    judge::session().compare_with(function, [](const judge::Value& a, const judge::Value& b) {
        return !judge::compare(a, b, in_float);
    });
}

inline Array some(const Shape& shape, std::uint64_t seed) {
    Array array = xt::zeros<float>(shape);
    const attention::Vector numbers = drawn::standard_normal(array.size(), seed);
    std::transform(numbers.begin(), numbers.end(), array.begin(),
                   [](double number) { return static_cast<float>(number); });
    return array;
}

} // namespace float_arrays
