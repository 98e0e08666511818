#include "aggregation.hpp"

#include <stdexcept>

#include "attention/scores.hpp"  // attention::scaled_scores, from lesson 02
#include "attention/softmax.hpp" // attention::softmax_rows, from lesson 03

namespace lesson {

Matrix attention_weights(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        throw std::invalid_argument(
            "attention_weights: Q and K must share d_k, and it must not be 0; Q is " +
            shape_text(Q) + ", K is " + shape_text(K));
    }

    // solution 04.2 (Q, K): return the softmax of the scaled scores, a row for each query
    return attention::softmax_rows(attention::scaled_scores(Q, K));
    // end
}

} // namespace lesson
