#pragma once

#include "attention/random.hpp"

#include <algorithm>

namespace support {

/// Standard normal numbers of any shape.
template <class Array>
Array normal(const typename Array::shape_type& shape, std::uint64_t seed) {
    Array X = Array::from_shape(shape);
    const attention::Vector numbers = attention::standard_normal(X.size(), seed);
    std::transform(numbers.begin(), numbers.end(), X.begin(),
                   [](double x) { return static_cast<typename Array::value_type>(x); });
    return X;
}

} // namespace support
