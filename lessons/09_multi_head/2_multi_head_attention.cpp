#include "multi_head.hpp"

#include "attention/attention.hpp" // attention::scaled_dot_product_attention, from lesson 05
#include "attention/product.hpp"   // attention::matmul

namespace lesson {

MultiHead multi_head_attention(const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                               const Matrix& W_v, const Matrix& W_o, std::size_t n_heads,
                               const std::optional<Mask>& mask) {
    require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);

    // TODO 09.2: project, split, attend in each head, merge, multiply by W_o
    todo("09.2", X, W_q, W_k, W_v, W_o, n_heads, mask);
}

} // namespace lesson
