#include "attention/scores.hpp"

#include "attention/product.hpp"
#include "attention/shapes.hpp"

#include <cmath>

namespace attention {

Matrix raw_scores(const Matrix& Q, const Matrix& K) {
    require_shared("raw_scores", "d_k", Axis{"Q", Q, 1}, Axis{"K", K, 1});
    return matmul_transposed(Q, K);
}

Matrix scaled_scores(const Matrix& Q, const Matrix& K) {
    require_shared("scaled_scores", "d_k", Axis{"Q", Q, 1}, Axis{"K", K, 1});
    const std::size_t d_k = Q.shape(1);
    if (d_k == 0) {
        throw std::invalid_argument("scaled_scores: d_k must be at least 1, got 0; Q is " +
                                    shape_text(Q) + ", K is " + shape_text(K));
    }
    Matrix scores = matmul_transposed(Q, K);
    scores /= std::sqrt(static_cast<double>(d_k));
    return scores;
}

} // namespace attention
