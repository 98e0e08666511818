#include "score_scaling.hpp"

#include <stdexcept>

namespace lesson {

Matrix raw_scores(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1)) {
        throw std::invalid_argument("raw_scores: Q and K must share d_k; Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K));
    }

    // solution 02.1 (Q, K): return Q · Kᵀ; result(i, j) is row i of Q times row j of K, summed
    const std::size_t n_queries = Q.shape(0);
    const std::size_t n_keys = K.shape(0);
    const std::size_t d_k = Q.shape(1);

    Matrix scores = xt::zeros<double>({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t c = 0; c < d_k; ++c) {
                scores(i, j) += Q(i, c) * K(j, c);
            }
        }
    }
    return scores;
    // end
}

} // namespace lesson
