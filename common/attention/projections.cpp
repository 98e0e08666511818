#include "attention/projections.hpp"

#include "attention/product.hpp"
#include "attention/shapes.hpp"

namespace attention {
namespace {

template <class M>
M checked_project(const M& X, const M& W) {
    require_shared("project", "d_model", Axis{"X", X, 1}, Axis{"W", W, 0});
    return matmul(X, W);
}

// All shapes are checked before the first product, so that a bad W_v costs nothing.
template <class M>
void check_weights(const M& X, const M& W_q, const M& W_k, const M& W_v) {
    require_shared("compute_qkv", "d_model", Axis{"X", X, 1}, Axis{"W_q", W_q, 0});
    require_shared("compute_qkv", "d_model", Axis{"X", X, 1}, Axis{"W_k", W_k, 0});
    require_shared("compute_qkv", "d_model", Axis{"X", X, 1}, Axis{"W_v", W_v, 0});
    require_shared("compute_qkv", "d_k", Axis{"W_q", W_q, 1}, Axis{"W_k", W_k, 1});
}

} // namespace

Matrix project(const Matrix& X, const Matrix& W) {
    return checked_project(X, W);
}
MatrixF project(const MatrixF& X, const MatrixF& W) {
    return checked_project(X, W);
}

QKV compute_qkv(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
    check_weights(X, W_q, W_k, W_v);
    return {matmul(X, W_q), matmul(X, W_k), matmul(X, W_v)};
}
QKVF compute_qkv(const MatrixF& X, const MatrixF& W_q, const MatrixF& W_k, const MatrixF& W_v) {
    check_weights(X, W_q, W_k, W_v);
    return {matmul(X, W_q), matmul(X, W_k), matmul(X, W_v)};
}

} // namespace attention
