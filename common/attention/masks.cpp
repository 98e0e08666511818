#include "attention/masks.hpp"

#include "attention/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// The maximum starts at −∞ and a NaN never replaces it; a NaN that was passed over comes back
// through the sum.
void masked_softmax_row(const double* scores, const bool* allowed, std::size_t n, double* weights) {
    double maximum = minus_infinity;
    bool nothing = true;
    for (std::size_t j = 0; j < n; ++j) {
        if (allowed[j] && scores[j] != minus_infinity) {
            maximum = scores[j] > maximum ? scores[j] : maximum;
            nothing = false;
        }
    }
    if (nothing) {
        std::fill_n(weights, n, 0.0);
        return;
    }
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] = allowed[j] ? std::exp(scores[j] - maximum) : 0.0;
        sum += weights[j];
    }
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] = allowed[j] ? weights[j] / sum : 0.0;
    }
}

} // namespace

Matrix masked_softmax(const Matrix& scores, const Mask& mask) {
    require_shared("masked_softmax", "n_queries", Axis{"scores", scores, 0}, Axis{"mask", mask, 0});
    require_shared("masked_softmax", "n_keys", Axis{"scores", scores, 1}, Axis{"mask", mask, 1});
    const std::size_t n_keys = scores.shape(1);
    auto weights = Matrix::from_shape(scores.shape());
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const std::size_t row = i * n_keys;
        masked_softmax_row(scores.data() + row, mask.data() + row, n_keys, weights.data() + row);
    }
    return weights;
}

} // namespace attention
