#include "causal_masking.hpp"

#include "attention/softmax.hpp" // softmax_rows, should you want it

#include <algorithm>
#include <cmath>
#include <limits>

namespace lesson {

Matrix masked_softmax(const Matrix& scores, const Mask& mask) {
    require_same_shape("masked_softmax", scores, mask);

    // solution 05.3 (scores, mask): softmax of each row; 0 where blocked, even if everything is
    const double infinity = std::numeric_limits<double>::infinity();
    const std::size_t n_queries = scores.shape(0);
    const std::size_t n_keys = scores.shape(1);
    const Matrix masked = apply_mask(scores, mask);

    Matrix weights = xt::zeros<double>({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        double maximum = -infinity;
        for (std::size_t j = 0; j < n_keys; ++j) {
            maximum = std::max(maximum, masked(i, j));
        }
        if (maximum == -infinity) {
            continue; // everything is blocked: the row stays 0
        }
        double sum = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            weights(i, j) = std::exp(masked(i, j) - maximum); // exp(−∞) is 0
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < n_keys; ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
    // end
}

} // namespace lesson
