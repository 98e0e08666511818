#include "score_scaling.hpp"

#include <stdexcept>

namespace lesson {

Matrix raw_scores(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1)) {
        throw std::invalid_argument("raw_scores: Q and K must share d_k; Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K));
    }

    // TODO 02.1: return Q · Kᵀ; result(i, j) is row i of Q times row j of K, summed
    todo("02.1", Q, K);
}

} // namespace lesson
