#pragma once

// The shape check behind every public function. xtensor's own message loses the shapes in release
// builds, so each function checks at its boundary, in its own words.

#include "attention/tensor.hpp"

#include <stdexcept>

namespace attention {

/// One axis of a named array, as an error speaks of it.
template <class Array>
struct Axis {
    const char* name;
    const Array& array;
    std::size_t axis;

    std::size_t size() const { return array.shape(axis); }
};
template <class Array>
Axis(const char*, const Array&, std::size_t) -> Axis<Array>;

/// Throws std::invalid_argument unless both axes have one size:
/// "project: X and W must share d_model, got 3 and 4; X is (2, 3), W is (4, 5)".
template <class Left, class Right>
void require_shared(const char* function, const char* dimension, const Axis<Left>& left,
                    const Axis<Right>& right) {
    if (left.size() == right.size()) {
        return;
    }
    const std::string l = left.name;
    const std::string r = right.name;
    throw std::invalid_argument(
        std::string(function) + ": " + l + " and " + r + " must share " + dimension + ", got " +
        std::to_string(left.size()) + " and " + std::to_string(right.size()) + "; " + l + " is " +
        shape_text(left.array) + ", " + r + " is " + shape_text(right.array));
}

} // namespace attention
