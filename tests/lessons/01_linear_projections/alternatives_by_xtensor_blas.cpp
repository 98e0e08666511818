// Right by xtensor-blas, whose declarations do not go together with OpenBLAS's own.

#include <xtensor-blas/xlinalg.hpp>

#include "exports.hpp"

using lesson::Matrix;

namespace {

ALTERNATIVE(project, by_xtensor_blas, [](const Matrix& X, const Matrix& W) -> Matrix {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(X) + " · " + lesson::shape_text(W));
    }
    return xt::linalg::dot(X, W);
});

} // namespace
