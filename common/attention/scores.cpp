#include "attention/scores.hpp"

#include "attention/product.hpp"
#include "attention/shapes.hpp"

#include <cmath>

namespace attention {
namespace {

template <class T>
xt::xtensor<T, 2> raw(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K) {
    require_shared("raw_scores", "d_k", Axis{"Q", Q, 1}, Axis{"K", K, 1});
    return matmul_transposed(Q, K);
}

template <class T>
xt::xtensor<T, 2> scaled(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K) {
    require_shared("scaled_scores", "d_k", Axis{"Q", Q, 1}, Axis{"K", K, 1});
    const std::size_t d_k = Q.shape(1);
    if (d_k == 0) {
        throw std::invalid_argument("scaled_scores: d_k must be at least 1, got 0; Q is " +
                                    shape_text(Q) + ", K is " + shape_text(K));
    }
    xt::xtensor<T, 2> scores = matmul_transposed(Q, K);
    scores /= std::sqrt(static_cast<T>(d_k));
    return scores;
}

} // namespace

Matrix raw_scores(const Matrix& Q, const Matrix& K) {
    return raw(Q, K);
}
MatrixF raw_scores(const MatrixF& Q, const MatrixF& K) {
    return raw(Q, K);
}

Matrix scaled_scores(const Matrix& Q, const Matrix& K) {
    return scaled(Q, K);
}
MatrixF scaled_scores(const MatrixF& Q, const MatrixF& K) {
    return scaled(Q, K);
}

} // namespace attention
