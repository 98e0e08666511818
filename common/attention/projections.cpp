#include "attention/projections.hpp"

#include "attention/product.hpp"
#include "attention/shapes.hpp"

namespace attention {

QKV compute_qkv(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
    require_shared("compute_qkv", "d_model", Axis{"X", X, 1}, Axis{"W_q", W_q, 0});
    require_shared("compute_qkv", "d_model", Axis{"X", X, 1}, Axis{"W_k", W_k, 0});
    require_shared("compute_qkv", "d_model", Axis{"X", X, 1}, Axis{"W_v", W_v, 0});
    require_shared("compute_qkv", "d_k", Axis{"W_q", W_q, 1}, Axis{"W_k", W_k, 1});
    return {matmul(X, W_q), matmul(X, W_k), matmul(X, W_v)};
}

} // namespace attention
