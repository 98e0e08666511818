#include "attention/attention.hpp"

#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/shapes.hpp"
#include "attention/softmax.hpp"

#include <utility>

namespace attention {

Matrix attention_weights(const Matrix& Q, const Matrix& K) {
    check_dk("attention_weights", Q, K);
    return softmax_rows(scaled_scores(Q, K));
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V) {
    check_dk("attention", Q, K);
    require_shared("attention", "n_keys", Axis{"K", K, 0}, Axis{"V", V, 0});
    Matrix weights = softmax_rows(scaled_scores(Q, K));
    Matrix output = matmul(weights, V);
    return {std::move(output), std::move(weights)};
}

} // namespace attention
