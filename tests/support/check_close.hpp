#pragma once

// Arrays compared as a reader would: the shape first, then every element, and the worst one named.
// (doctest::Approx adds an absolute part that hides errors near 0, and fails on −∞ == −∞.)

#include "attention/tensor.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <string>

namespace support {

/// An element is close if |got − expected| ≤ relative · |expected| + absolute.
/// With an absolute part of 0, numbers near 0 must have as many right digits as the others.
struct Tolerance {
    double relative = 1e-12;
    double absolute = 1e-12;
};

/// The shortest decimal that reads back as the same number.
template <class T>
std::string number_text(T value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return std::string(text.data(), end);
}

/// "(1, 2)": where element `flat` of a row-major array is.
template <class Array>
std::string index_text(const Array& array, std::size_t flat) {
    std::string text;
    for (std::size_t axis = array.dimension(); axis-- > 0;) {
        const std::string position = std::to_string(flat % array.shape(axis));
        text = position + (text.empty() ? "" : ", ") + text;
        flat /= array.shape(axis);
    }
    return "(" + text + ")";
}

/// Why `actual` is not close to `expected`, or "" if it is. allowed(flat index, expected value) is
/// the largest error that element may have. NaN equals NaN, and an infinity only itself.
template <class Actual, class Expected, class Allowed>
std::string difference_beyond(const Actual& actual, const Expected& expected, Allowed allowed) {
    if (attention::shape_text(actual) != attention::shape_text(expected)) {
        return "shape: expected " + attention::shape_text(expected) + ", got " +
               attention::shape_text(actual);
    }
    std::size_t failures = 0;
    double worst_excess = 0;
    std::string worst;
    for (std::size_t flat = 0; flat < expected.size(); ++flat) {
        const auto want = expected.flat(flat);
        const auto got = actual.flat(flat);
        const auto w = static_cast<double>(want);
        const auto g = static_cast<double>(got);
        if (g == w || (std::isnan(g) && std::isnan(w))) {
            continue;
        }
        // An infinity or a NaN on one side alone is never close, however large the allowance.
        const double limit = allowed(flat, w);
        const double error = std::abs(g - w);
        if (std::isfinite(error) && error <= limit) {
            continue;
        }
        ++failures;
        const double excess =
            std::isfinite(error) ? error / limit : std::numeric_limits<double>::infinity();
        if (worst.empty() || excess > worst_excess) {
            worst_excess = excess;
            worst = index_text(expected, flat) + ": expected " + number_text(want) + ", got " +
                    number_text(got) + ", error " + number_text(error) + ", allowed " +
                    number_text(limit);
        }
    }
    return failures == 0 ? ""
                         : std::to_string(failures) + " of " + std::to_string(expected.size()) +
                               " elements too far off, worst at " + worst;
}

template <class Actual, class Expected>
std::string difference(const Actual& actual, const Expected& expected, Tolerance tolerance = {}) {
    return difference_beyond(actual, expected, [=](std::size_t, double value) {
        return tolerance.relative * std::abs(value) + tolerance.absolute;
    });
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

/// The same with a limit of its own for each element: |got − expected| ≤ bound, arrays of one
/// shape.
template <class Actual, class Expected, class Bound>
void check_within(const Actual& actual, const Expected& expected, const Bound& bound,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    REQUIRE(attention::shape_text(bound) == attention::shape_text(expected));
    const auto allowed = [&](std::size_t flat, double) {
        return static_cast<double>(bound.flat(flat));
    };
    report(difference_beyond(actual, expected, allowed), file, line);
}

} // namespace support
