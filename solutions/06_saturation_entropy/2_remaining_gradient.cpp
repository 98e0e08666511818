#include "saturation_entropy.hpp"

namespace lesson {

Vector remaining_gradient(const Matrix& weights) {
    // solution 06.2 (weights): Σ p (1 − p) of each row, the trace of the softmax's Jacobian
    const std::size_t n_queries = weights.shape(0);
    const std::size_t n_keys = weights.shape(1);
    Vector remaining = Vector::from_shape({n_queries});
    for (std::size_t i = 0; i < n_queries; ++i) {
        double trace = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double p = weights(i, j);
            trace += p * (1 - p); // element (j, j) of diag(p) − p pᵀ
        }
        remaining(i) = trace;
    }
    return remaining;
    // end
}

} // namespace lesson
