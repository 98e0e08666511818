#include "aggregation.hpp"

#include <stdexcept>

#include "attention/shapes.hpp"

namespace lesson {

Matrix self_attention(const Matrix& Q, const Matrix& K, const Matrix& V) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        throw std::invalid_argument(
            "self_attention: Q and K must share d_k, and it must not be 0; Q is " + shape_text(Q) +
            ", K is " + shape_text(K));
    }
    attention::require_shared("self_attention", "n_keys", attention::Axis{"K", K, 0},
                              attention::Axis{"V", V, 0});

    // solution 04.3 (Q, K, V): return the output, the values mixed by the attention weights
    return aggregate(attention_weights(Q, K), V);
    // end
}

} // namespace lesson
