#include "saturation_entropy.hpp"

#include <algorithm>
#include <cmath>

namespace lesson {

Vector gradient_gain(const Matrix& weights) {
    // solution 06.2 (weights): for each row p the largest eigenvalue of diag(p) − p pᵀ
    const std::size_t n_queries = weights.shape(0);
    const std::size_t n_keys = weights.shape(1);
    Vector gains = Vector::from_shape({n_queries});
    for (std::size_t i = 0; i < n_queries; ++i) {
        const Vector p = xt::view(weights, i, xt::all());
        Vector g = xt::zeros<double>({n_keys});
        const auto largest = std::max_element(p.begin(), p.end()) - p.begin();
        g(largest) = 1; // a gradient of length 1, all of it at the largest weight
        double before = -1, gain = 0;
        while (gain - before > 1e-12 * gain) { // the gain grows from step to step, less and less
            double p_dot_g = 0, squares = 0;
            for (std::size_t j = 0; j < n_keys; ++j) {
                p_dot_g += p(j) * g(j);
            }
            for (std::size_t j = 0; j < n_keys; ++j) {
                g(j) = p(j) * (g(j) - p_dot_g); // J g, and no matrix was built
                squares += g(j) * g(j);
            }
            before = gain;
            gain = std::sqrt(squares); // how long g has become, from length 1
            g /= gain > 0 ? gain : 1;
        }
        gains(i) = gain;
    }
    return gains;
    // end
}

} // namespace lesson
