#include "gradients.hpp"

#include <cmath>

namespace lesson {

AttentionGradients attention_backward(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Mask& mask, const Matrix& weights,
                                      const Matrix& d_output) {
    require_equal("attention_backward", "d_k", "Q", Q, 1, "K", K, 1);
    require_equal("attention_backward", "n_keys", "K", K, 0, "V", V, 0);
    require_equal("attention_backward", "n_queries", "Q", Q, 0, "mask", mask, 0);
    require_equal("attention_backward", "n_keys", "K", K, 0, "mask", mask, 1);
    require_equal("attention_backward", "n_queries", "Q", Q, 0, "weights", weights, 0);
    require_equal("attention_backward", "n_keys", "K", K, 0, "weights", weights, 1);
    require_equal("attention_backward", "n_queries", "Q", Q, 0, "d_output", d_output, 0);
    require_equal("attention_backward", "d_v", "V", V, 1, "d_output", d_output, 1);

    // TODO 08.3: the forward pass read backwards
    todo("08.3", Q, K, V, mask, weights, d_output);
}

} // namespace lesson
