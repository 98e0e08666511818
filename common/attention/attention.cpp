#include "attention/attention.hpp"

#include "attention/batches.hpp"
#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/shapes.hpp"
#include "attention/softmax.hpp"

#include <utility>

namespace attention {
namespace {

template <class T>
using MatrixOf = xt::xtensor<T, 2>;

template <class T>
MatrixOf<T> weights_of(const MatrixOf<T>& Q, const MatrixOf<T>& K) {
    check_dk("attention_weights", Q, K);
    return softmax_rows(scaled_scores(Q, K));
}

template <class T>
MatrixOf<T> aggregate_of(const MatrixOf<T>& weights, const MatrixOf<T>& V) {
    require_shared("aggregate", "n_keys", Axis{"weights", weights, 1}, Axis{"V", V, 0});
    return matmul(weights, V);
}

template <class Result, class T>
Result attention_of(const MatrixOf<T>& Q, const MatrixOf<T>& K, const MatrixOf<T>& V) {
    check_dk("attention", Q, K);
    require_shared("attention", "n_keys", Axis{"K", K, 0}, Axis{"V", V, 0});
    MatrixOf<T> weights = softmax_rows(scaled_scores(Q, K));
    MatrixOf<T> output = matmul(weights, V);
    return {std::move(output), std::move(weights)};
}

} // namespace

Matrix attention_weights(const Matrix& Q, const Matrix& K) {
    return weights_of(Q, K);
}
MatrixF attention_weights(const MatrixF& Q, const MatrixF& K) {
    return weights_of(Q, K);
}

Matrix aggregate(const Matrix& weights, const Matrix& V) {
    return aggregate_of(weights, V);
}
MatrixF aggregate(const MatrixF& weights, const MatrixF& V) {
    return aggregate_of(weights, V);
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return attention_of<Attention>(Q, K, V);
}
AttentionF attention(const MatrixF& Q, const MatrixF& K, const MatrixF& V) {
    return attention_of<AttentionF>(Q, K, V);
}

} // namespace attention
