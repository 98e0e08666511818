#include "gradients.hpp"

namespace lesson {

Matrix softmax_backward(const Matrix& weights, const Matrix& d_weights) {
    for (const std::size_t axis : {0U, 1U}) {
        require_equal("softmax_backward", axis == 0 ? "n_queries" : "n_keys", "weights", weights,
                      axis, "d_weights", d_weights, axis);
    }

    // TODO 08.1: p ∘ (g − Σ p g), where each row has a sum of its own
    todo("08.1", weights, d_weights);
}

} // namespace lesson
