#pragma once

// What the misconceptions of 08.4 are made of.

#include <limits>

#include "wrong.hpp"

namespace wrong {

using lesson::ScalarFunction;

using Check = std::function<double(const ScalarFunction& f, const Vector& x, const Vector& gradient,
                                   double h)>;

inline auto checked(Check check) {
    return [=](const std::string& f, const Vector& x, const Vector& gradient, double h) -> double {
        const Check guarded = [&](const ScalarFunction& function, const Vector& at,
                                  const Vector& claimed, double step) {
            lesson::require_equal("gradient_check", "n", "x", at, 0, "gradient", claimed, 0);
            if (!(step > 0)) {
                throw std::invalid_argument("gradient_check: h must be above 0, got " +
                                            std::to_string(step));
            }
            return check(function, at, claimed, step);
        };
        return by_name::gradient_check_by(guarded, f, x, gradient, h);
    };
}

/// f at x with component i moved.
inline double moved(const ScalarFunction& f, Vector x, std::size_t i, double by) {
    x(i) += by;
    return f(x);
}

using Difference =
    std::function<double(const ScalarFunction& f, const Vector& x, std::size_t i, double h)>;

inline double centred(const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
    return (moved(f, x, i, h) - moved(f, x, i, -h)) / (2 * h);
}

inline Vector differences_by(const Difference& difference, const ScalarFunction& f, const Vector& x,
                             double h) {
    Vector all = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        all(i) = difference(f, x, i, h);
    }
    return all;
}

inline bool any_nan(const Vector& v) {
    return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}

inline double largest_of(const Vector& v) {
    return xt::amax(xt::abs(v))();
}

inline double right_measure(const Vector& differences, const Vector& gradient) {
    if (any_nan(differences) || any_nan(gradient)) {
        return std::nan("");
    }
    const double largest = std::max(largest_of(differences), largest_of(gradient));
    return largest > 0 ? largest_of(gradient - differences) / largest : 0;
}

/// Right, but for the difference.
inline auto by_difference(Difference difference) {
    return checked([=](const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
        return right_measure(differences_by(difference, f, x, h), gradient);
    });
}

/// Right differences, and another number made of them.
using Measure = std::function<double(const Vector& differences, const Vector& gradient)>;
inline auto by_measure(Measure measure) {
    return checked([=](const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
        return measure(differences_by(centred, f, x, h), gradient);
    });
}

/// The same, where a NaN stays one.
inline auto by_measure_of_numbers(Measure measure) {
    return by_measure([=](const Vector& differences, const Vector& gradient) {
        return any_nan(differences) || any_nan(gradient) ? std::nan("")
                                                         : measure(differences, gradient);
    });
}

inline double over(double error, double largest) {
    return largest > 0 ? error / largest : 0;
}

inline double larger(const Vector& a, const Vector& b) {
    return std::max(largest_of(a), largest_of(b));
}

} // namespace wrong
