#include "causal_masking.hpp"

#include "attention/product.hpp" // attention::matmul
#include "attention/scores.hpp"  // attention::scaled_scores

namespace lesson {

Attention scaled_dot_product_attention(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                                       const std::optional<xt::xarray<bool>>& mask) {
    require_fit(Q, K, V, mask);

    const std::size_t batch = Q.shape(0);
    const std::size_t n_queries = Q.shape(1);
    const std::size_t n_keys = K.shape(1);
    const std::size_t d_v = V.shape(2);
    Attention result{Tensor3::from_shape({batch, n_queries, d_v}),
                     Tensor3::from_shape({batch, n_queries, n_keys})};

    // TODO 05.5: fill result.weights and result.output, sequence by sequence
    todo("05.5", Q, K, V, mask);
}

} // namespace lesson
