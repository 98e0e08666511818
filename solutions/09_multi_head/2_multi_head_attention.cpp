#include "multi_head.hpp"

#include "attention/attention.hpp" // attention::scaled_dot_product_attention, from lesson 05
#include "attention/product.hpp"   // attention::matmul

namespace lesson {

MultiHead multi_head_attention(const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                               const Matrix& W_v, const Matrix& W_o, std::size_t n_heads,
                               const std::optional<Mask>& mask) {
    require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);

    // solution 09.2 (X, W_q, W_k, W_v, W_o, n_heads, mask): project, split, attend in each head, merge, multiply by W_o
    const Tensor3 Q = split_heads(attention::matmul(X, W_q), n_heads); // (n_heads, n, d_k)
    const Tensor3 K = split_heads(attention::matmul(X, W_k), n_heads); // (n_heads, n, d_k)
    const Tensor3 V = split_heads(attention::matmul(X, W_v), n_heads); // (n_heads, n, d_v)

    attention::AttentionOptions options;
    if (mask) {
        options.mask = *mask;
    }
    // Heads never look at each other, and neither do the sequences of a batch.
    const auto heads = attention::scaled_dot_product_attention(Q, K, V, options);
    return {attention::matmul(merge_heads(heads.output), W_o), heads.weights};
    // end
}

} // namespace lesson
