#include "attention/scores.hpp"
#include "softmax.hpp"

namespace lesson {

Vector largest_derivative(const Matrix& Q, const Matrix& K, bool scaled) {
    // solution 03.4 (Q, K, scaled): for each query, the largest element of its weights' Jacobian
    const Matrix scores = scaled ? attention::scaled_scores(Q, K) : attention::raw_scores(Q, K);
    const Matrix weights = softmax_rows(scores); // (n_queries, n_keys)
    Vector largest = Vector::from_shape({Q.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        const Vector p = xt::row(weights, static_cast<int>(i));
        largest(i) = xt::amax(softmax_jacobian(p))();
    }
    return largest;
    // end
}

} // namespace lesson
