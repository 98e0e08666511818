// Right by xtensor-blas, whose declarations do not go together with OpenBLAS's own.

#include <xtensor-blas/xlinalg.hpp>

#include "exports.hpp"

using lesson::Matrix;

namespace {

ALTERNATIVE(aggregate, by_xtensor_blas, [](const Matrix& weights, const Matrix& V) -> Matrix {
    if (weights.shape(1) != V.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(weights) + " · " + lesson::shape_text(V));
    }
    return xt::linalg::dot(weights, V);
});

} // namespace
