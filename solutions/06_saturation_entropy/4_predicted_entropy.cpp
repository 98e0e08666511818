#include "saturation_entropy.hpp"

#include <algorithm>
#include <cmath>

namespace lesson {

double predicted_entropy(std::size_t n_keys, double variance) {
    if (n_keys == 0 || !(variance >= 0)) { // written so that NaN is refused too
        throw std::invalid_argument(
            "predicted_entropy: n_keys must be at least 1 and variance at least 0, got " +
            std::to_string(n_keys) + " and " + std::to_string(variance));
    }

    // solution 06.4 (n_keys, variance): ln n − σ²/2, and 0 where that is negative
    const double ln_n = std::log(static_cast<double>(n_keys));
    return std::max(0.0, ln_n - variance / 2);
    // end
}

} // namespace lesson
