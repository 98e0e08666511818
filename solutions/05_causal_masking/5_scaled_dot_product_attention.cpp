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

    // solution 05.5 (Q, K, V, mask): fill result.weights and result.output, sequence by sequence
    for (std::size_t b = 0; b < batch; ++b) {
        const Matrix Q_b = xt::view(Q, b, xt::all(), xt::all());
        const Matrix K_b = xt::view(K, b, xt::all(), xt::all());
        const Matrix V_b = xt::view(V, b, xt::all(), xt::all());

        Mask mask_b = Mask::from_shape({n_queries, n_keys});
        for (std::size_t i = 0; i < n_queries; ++i) {
            for (std::size_t j = 0; j < n_keys; ++j) {
                mask_b(i, j) = attends(mask, b, i, j);
            }
        }
        const Matrix scores = attention::scaled_scores(Q_b, K_b);
        const Matrix weights = masked_softmax(scores, mask_b);
        xt::view(result.weights, b, xt::all(), xt::all()) = weights;
        xt::view(result.output, b, xt::all(), xt::all()) = attention::matmul(weights, V_b);
    }
    return result;
    // end
}

} // namespace lesson
