#include "gradients.hpp"

namespace lesson {

Matrix softmax_backward(const Matrix& weights, const Matrix& d_weights) {
    for (const std::size_t axis : {0U, 1U}) {
        require_equal("softmax_backward", axis == 0 ? "n_queries" : "n_keys", "weights", weights,
                      axis, "d_weights", d_weights, axis);
    }

    // solution 08.1 (weights, d_weights): p ∘ (g − Σ p g), where each row has a sum of its own
    const Matrix means = xt::sum(weights * d_weights, {1}, xt::keep_dims); // (n_queries, 1): Σ p g
    return weights * (d_weights - means);
    // end
}

} // namespace lesson
