#pragma once

// What several misconceptions of 02.3 are made of.

#include <cmath>
#include <random>

#include "exports.hpp"

namespace wrong {

using lesson::Moments;

/// A wrong estimate, asked once with each seed.
template <class Wrong>
auto each_seed(Wrong wrong) {
    return [wrong](std::size_t d_k, std::size_t samples, const std::vector<std::uint64_t>& seeds) {
        return of_seeds::dot_product_moments_by(wrong, d_k, samples, seeds);
    };
}

#define MOMENTS_MISCONCEPTION(name, explanation, ...)                                              \
    MISCONCEPTION_IN(of_seeds, dot_product_moments, name, explanation, each_seed(__VA_ARGS__))

/// The mean and the variance of `samples` numbers, with the check that the stub holds.
template <class Draw>
Moments moments_of(std::size_t d_k, std::size_t samples, Draw draw) {
    if (d_k == 0 || samples < 2) {
        throw std::invalid_argument("d_k must be at least 1 and samples at least 2");
    }
    double sum = 0;
    double sum_of_squares = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const double number = draw();
        sum += number;
        sum_of_squares += number * number;
    }
    const double n = static_cast<double>(samples);
    const double mean = sum / n;
    return {mean, sum_of_squares / n - mean * mean};
}

template <class Distribution>
Moments of_components(std::size_t d_k, std::size_t samples, std::uint64_t seed,
                      Distribution component) {
    std::mt19937_64 engine(seed);
    return moments_of(d_k, samples, [&] {
        double dot = 0;
        for (std::size_t i = 0; i < d_k; ++i) {
            const double q_i = component(engine);
            dot += q_i * component(engine);
        }
        return dot;
    });
}

using Normal = std::normal_distribution<double>;
using Uniform = std::uniform_real_distribution<double>;

inline Moments right(std::size_t d_k, std::size_t samples, std::uint64_t seed) {
    return of_components(d_k, samples, seed, Normal());
}

} // namespace wrong
