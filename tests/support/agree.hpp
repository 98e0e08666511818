#pragma once

// A check of shapes in a learner's own words, for right solutions that check in another order.

#include <stdexcept>

#include "attention/shapes.hpp"

namespace support {

/// Throws std::invalid_argument, naming both shapes, unless the sizes at these axes are equal.
template <class Left, class Right>
void agree(const Left& left, std::size_t left_axis, const Right& right, std::size_t right_axis) {
    if (left.shape(left_axis) != right.shape(right_axis)) {
        throw std::invalid_argument("these two do not go together: " + attention::shape_text(left) +
                                    " and " + attention::shape_text(right));
    }
}

} // namespace support
