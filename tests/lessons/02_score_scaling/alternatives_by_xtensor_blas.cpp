// Right by xtensor-blas, whose declarations do not go together with OpenBLAS's own.

#include <xtensor-blas/xlinalg.hpp>

#include "exports.hpp"

using lesson::Matrix;

namespace {

void require_same_width(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1)) {
        throw std::invalid_argument(lesson::shape_text(Q) + " · " + lesson::shape_text(K) + "ᵀ");
    }
}

ALTERNATIVE(raw_scores, by_xtensor_blas, [](const Matrix& Q, const Matrix& K) -> Matrix {
    require_same_width(Q, K);
    const Matrix K_t = xt::transpose(K);
    return xt::linalg::dot(Q, K_t);
});

} // namespace
