#include "score_scaling.hpp"

#include <random>
#include <stdexcept>
#include <string>

namespace lesson {

Moments dot_product_moments(std::size_t d_k, std::size_t samples, std::uint64_t seed) {
    if (d_k == 0 || samples < 2) {
        throw std::invalid_argument(
            "dot_product_moments: d_k must be at least 1 and samples at least 2, got " +
            std::to_string(d_k) + " and " + std::to_string(samples));
    }

    // TODO 02.3: draw q · k many times; return its mean and variance
    todo("02.3", d_k, samples, seed);
}

} // namespace lesson
