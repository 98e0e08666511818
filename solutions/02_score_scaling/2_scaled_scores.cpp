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

    // solution 02.2 (Q, K): return the raw scores, each divided by √d_k
    const double d_k = static_cast<double>(Q.shape(1));
    return raw_scores(Q, K) / std::sqrt(d_k);
    // end
}

} // namespace lesson
