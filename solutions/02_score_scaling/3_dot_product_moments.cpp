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

    // solution 02.3 (d_k, samples, seed): draw q · k many times; return its mean and variance
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal; // mean 0, variance 1

    double sum = 0;
    double sum_of_squares = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        double dot = 0;
        for (std::size_t i = 0; i < d_k; ++i) {
            const double q_i = normal(engine);
            const double k_i = normal(engine);
            dot += q_i * k_i;
        }
        sum += dot;
        sum_of_squares += dot * dot;
    }
    const double n = static_cast<double>(samples);
    const double mean = sum / n;
    return {.mean = mean, .variance = sum_of_squares / n - mean * mean};
    // end
}

} // namespace lesson
