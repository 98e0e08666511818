#include "saturation_entropy.hpp"

#include <cmath>

namespace lesson {

Vector entropy(const Matrix& weights) {
    // solution 06.1 (weights): −Σ p ln p of each row, in nats, where a weight of 0 adds 0
    const std::size_t n_queries = weights.shape(0);
    const std::size_t n_keys = weights.shape(1);
    Vector nats = Vector::from_shape({n_queries});
    for (std::size_t i = 0; i < n_queries; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double p = weights(i, j);
            if (p > 0) { // 0 · ln 0 is NaN to the machine, and 0 to us
                sum -= p * std::log(p);
            }
        }
        nats(i) = sum;
    }
    return nats;
    // end
}

} // namespace lesson
