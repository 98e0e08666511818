#pragma once

// Arrays compared as a reader would: the shape first, then every element, and the worst one named.
// (doctest::Approx adds an absolute part that hides errors near 0, and fails on −∞ == −∞.)

#include "attention/tensor.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>

namespace support {

/// An element is close if |got − expected| ≤ relative · |expected| + absolute.
/// With an absolute part of 0, numbers near 0 must have as many right digits as the others.
struct Tolerance {
    double relative = 1e-12;
    double absolute = 1e-12;

    double operator()(std::size_t, double expected) const {
        return relative * std::abs(expected) + absolute;
    }
};

/// Why `actual` is not close to `expected`, or "" if it is. allowed(flat index, expected value) is
/// the largest error that element may have. NaN equals NaN, and an infinity only itself.
template <class Actual, class Expected, class Allowed = Tolerance>
std::string difference(const Actual& actual, const Expected& expected,
                       const Allowed& allowed = {}) {
    const std::string shape = attention::shape_text(expected);
    if (attention::shape_text(actual) != shape) {
        return "shape: expected " + shape + ", got " + attention::shape_text(actual);
    }
    double worst = 1; // errors, as multiples of what is allowed
    std::ostringstream text;
    for (std::size_t flat = 0; flat < expected.size(); ++flat) {
        const auto want = static_cast<double>(expected.flat(flat));
        const auto got = static_cast<double>(actual.flat(flat));
        if (got == want || (std::isnan(got) && std::isnan(want))) {
            continue;
        }
        // An infinity or a NaN on one side alone is never close, however large the allowance.
        const double limit = allowed(flat, want), error = std::abs(got - want);
        const double excess =
            std::isfinite(error) ? error / limit : std::numeric_limits<double>::infinity();
        if (excess > worst) {
            worst = excess;
            text.str("");
            text << "worst of " << shape << " at " << flat << ": expected " << std::setprecision(17)
                 << want << ", got " << got << ", allowed " << limit;
        }
    }
    return text.str();
}

// The two builtins as default arguments give the caller's line, as std::source_location would;
// clang 14 has no such header.
inline void report(const std::string& problem, const char* file, int line) {
    if (problem.empty()) {
        CHECK(true); // a comparison that succeeds counts as an assertion too
    } else {
        ADD_FAIL_CHECK_AT(file, line, problem);
    }
}

/// Fails the running doctest case unless the shapes agree and every element is close.
template <class Actual, class Expected>
void check_close(const Actual& actual, const Expected& expected, Tolerance tolerance = {},
                 const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    report(difference(actual, expected, tolerance), file, line);
}

/// The same with a limit of its own for each element: |got − expected| ≤ bound.
template <class Actual, class Expected, class Bound>
void check_within(const Actual& actual, const Expected& expected, const Bound& bound,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    const auto allowed = [&](std::size_t flat, double) { return double(bound.flat(flat)); };
    report(difference(actual, expected, allowed), file, line);
}

} // namespace support
