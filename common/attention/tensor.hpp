// No #pragma once: ccache may give a precompiled header of another clone.
#ifndef ATTENTION_TENSOR_HPP
#define ATTENTION_TENSOR_HPP

// The one header that includes xtensor. Its headers moved in 0.26; everything else in the course
// includes this file and need not know where they are.

#include <cstddef>
#include <string>

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xarray.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif

namespace attention {

// Concrete arrays, row-major. Every function of the course takes and returns these: a lazy xtensor
// expression never leaves the function that builds it.
using Vector = xt::xtensor<double, 1>;  // (n)
using Matrix = xt::xtensor<double, 2>;  // (rows, columns)
using Tensor3 = xt::xtensor<double, 3>; // (batch, rows, columns)

using VectorF = xt::xtensor<float, 1>;
using MatrixF = xt::xtensor<float, 2>;
using Tensor3F = xt::xtensor<float, 3>;

/// Sizes as people write a shape: "(2, 3)", "(4,)", "()".
std::string shape_text(const std::size_t* sizes, std::size_t dimension);

/// The shape of an array, in the same way.
template <class Array>
std::string shape_text(const Array& array) {
    return shape_text(array.shape().data(), array.dimension());
}

} // namespace attention

#endif
