#pragma once

// The shape check behind every public function. xtensor's own message loses the shapes in release
// builds, so each function checks at its boundary, in its own words.

#include "attention/tensor.hpp"

#include <stdexcept>

namespace attention {

/// One axis of a named array, for an error's text.
template <class Array>
struct Axis {
    const char* name;
    const Array& array;
    std::size_t axis;

    std::size_t size() const { return array.shape(axis); }
};
template <class Array>
Axis(const char*, const Array&, std::size_t) -> Axis<Array>;

/// The part of an error's text about one of two arrays.
struct NamedSize {
    std::string name;
    std::size_t size;
    std::string shape;
};

/// Throws std::invalid_argument:
/// "project: X and W must share d_model, got 3 and 4; X is (2, 3), W is (4, 5)".
[[noreturn]] void throw_not_shared(const std::string& function, const std::string& dimension,
                                   const NamedSize& left, const NamedSize& right);

/// Throws as above unless both axes have one size.
template <class Left, class Right>
void require_shared(const char* function, const char* dimension, const Axis<Left>& left,
                    const Axis<Right>& right) {
    if (left.size() != right.size()) {
        throw_not_shared(function, dimension, {left.name, left.size(), shape_text(left.array)},
                         {right.name, right.size(), shape_text(right.array)});
    }
}

/// The last axis of Q and K, whatever the rank: of one size, and not 0.
template <class Array>
void check_dk(const char* function, const Array& Q, const Array& K) {
    const std::size_t last = Q.dimension() - 1;
    require_shared(function, "d_k", Axis{"Q", Q, last}, Axis{"K", K, last});
    if (Q.shape(last) == 0) {
        throw std::invalid_argument(std::string(function) +
                                    ": d_k must be at least 1, got 0; Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K));
    }
}

} // namespace attention
