#include "score_scaling.hpp"

#include <cmath>
#include <stdexcept>

namespace lesson {

Matrix scaled_scores(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        throw std::invalid_argument(
            "scaled_scores: Q and K must share d_k, and it must not be 0; Q is " + shape_text(Q) +
            ", K is " + shape_text(K));
    }

    // TODO 02.2: return the raw scores, each divided by √d_k
    todo("02.2", Q, K);
}

} // namespace lesson
