#pragma once

// Power iteration, of which the misconceptions of 06.2 are made.

#include "wrong.hpp"

namespace wrong {

using Apply = std::function<Vector(const Vector& p, const Vector& g)>;

inline Vector jacobian_times(const Vector& p, const Vector& g) {
    return p * (g - xt::sum(p * g)());
}

inline double length(const Vector& g) {
    return std::sqrt(xt::sum(g * g)());
}

inline std::size_t at_largest(const Vector& p) {
    return static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
}

inline Vector axis(std::size_t n, std::size_t j) {
    Vector g = xt::zeros<double>({n});
    g(j) = 1;
    return g;
}

/// Until the length settles; by_zero: what a gradient that has become 0 is divided by.
inline double power_iteration(const Vector& p, Vector g, double by_zero = 1,
                              const Apply& apply = jacobian_times) {
    double gain = 0;
    for (int step = 0; step < 1000; ++step) {
        g = apply(p, g);
        const double before = gain;
        gain = length(g);
        g /= gain > 0 ? gain : by_zero;
        if (std::abs(gain - before) <= 1e-13 * gain) {
            break;
        }
    }
    return by_zero == 0 && gain == 0 ? std::numeric_limits<double>::quiet_NaN() : gain;
}

inline double right_gain(const Vector& p) {
    return power_iteration(p, axis(p.size(), at_largest(p)));
}

} // namespace wrong
