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

    // solution 08.3 (Q, K, V, mask, weights, d_output): the forward pass read backwards
    // pass 1: output = weights · V
    const auto [d_weights, d_V] = matmul_backward(weights, V, d_output);
    // pass 2: weights = softmax(scores); what is blocked is replaced, since 0 · NaN is NaN
    const Matrix d_seen = xt::where(mask, d_weights, 0.0);
    const Matrix d_scores = softmax_backward(weights, d_seen); // (n_queries, n_keys)
    // pass 3: scores = Q · Kᵀ / √d_k
    const double root = std::sqrt(static_cast<double>(Q.shape(1)));
    const auto [d_Q, d_K] = matmul_transposed_backward(Q, K, d_scores / root);
    return {d_Q, d_K, d_V};
    // end
}

} // namespace lesson
