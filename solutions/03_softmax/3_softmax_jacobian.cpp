#include "softmax.hpp"

namespace lesson {

Matrix softmax_jacobian(const Vector& p) {
    // solution 03.3 (p): diag(p) − p pᵀ; element (i, j) says how weight i moves with score j
    const std::size_t n_keys = p.size();
    Matrix J = Matrix::from_shape({n_keys, n_keys});
    for (std::size_t i = 0; i < n_keys; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double same = i == j ? 1 : 0;
            J(i, j) = p(i) * (same - p(j)); // p_i (δ_ij − p_j)
        }
    }
    return J;
    // end
}

} // namespace lesson
