// 06.4

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exports.hpp"
#include "judge/expect.hpp"

namespace grader_prediction {

using judge::expect_close;
using judge::expect_refused;

namespace {

constexpr judge::Tolerance twelve_digits{1e-12, 1e-13};

} // namespace

TEST_CASE("06.4 predicted_entropy: 64 keys, scores of variance 1: ln 64 less a half") {
    expect_close(graded::predicted_entropy(64, 1), std::log(64.0) - 0.5, twelve_digits);
}

TEST_CASE("06.4 predicted_entropy: 64 keys at variance 4 and at 8, just before the end") {
    expect_close(graded::predicted_entropy(64, 4), std::log(64.0) - 2, twelve_digits);
    expect_close(graded::predicted_entropy(64, 8), std::log(64.0) - 4, twelve_digits);
}

TEST_CASE("06.4 predicted_entropy: frozen at 0 from a variance of 2 ln n on") {
    for (const double variance : {9.0, 64.0, 1024.0, 2 * std::log(64.0)}) {
        expect_close(graded::predicted_entropy(64, variance), 0.0, twelve_digits);
    }
}

TEST_CASE("06.4 predicted_entropy: scores that are all alike share equally: ln n") {
    expect_close(graded::predicted_entropy(10, 0), std::log(10.0), twelve_digits);
}

TEST_CASE("06.4 predicted_entropy: a key that is alone leaves nothing to be uncertain of") {
    expect_close(graded::predicted_entropy(1, 0), 0.0);
    expect_close(graded::predicted_entropy(1, 0.5), 0.0);
}

TEST_CASE("06.4 predicted_entropy: twice the keys are ln 2 more, as long as nothing is frozen") {
    for (const std::size_t n_keys : {16U, 32U, 64U, 128U}) {
        expect_close(graded::predicted_entropy(n_keys, 3), std::log(n_keys) - 1.5, twelve_digits);
    }
}

TEST_CASE("06.4 predicted_entropy: other sizes and variances") {
    for (const std::size_t n_keys : {2U, 7U, 31U, 1009U, 1000003U}) {
        for (const double variance : {0.25, 1.0, 2.5, 7.0, 30.0, 1e6}) {
            const long double nats =
                std::log(static_cast<long double>(n_keys)) - static_cast<long double>(variance) / 2;
            expect_close(graded::predicted_entropy(n_keys, variance),
                         nats > 0 ? static_cast<double>(nats) : 0.0, {1e-12, 1e-13});
        }
    }
}

TEST_CASE("06.4 predicted_entropy: close to the end little is left, and far beyond it nothing") {
    expect_close(graded::predicted_entropy(64, 8.25), std::log(64.0) - 8.25 / 2, {1e-12, 1e-13});
    expect_close(graded::predicted_entropy(64, std::numeric_limits<double>::infinity()), 0.0);
    expect_close(graded::predicted_entropy(5000000000, 1), std::log(5e9) - 0.5, twelve_digits);
}

TEST_CASE("06.4 predicted_entropy: any number of keys, and any variance") {
    for (const std::size_t n_keys : {std::size_t{1} << 63U, ~std::size_t{0}}) {
        for (const double variance : {0.0, 7.5, 100.0}) {
            const double nats = std::log(static_cast<double>(n_keys)) - variance / 2;
            expect_close(graded::predicted_entropy(n_keys, variance), std::max(nats, 0.0),
                         twelve_digits);
        }
    }
    for (const double variance : {1e-300, 1e-30, 1e-12, -0.0}) {
        expect_close(graded::predicted_entropy(64, variance), std::log(64.0), twelve_digits);
    }
    for (const double variance : {1e12, 1e30, 1e300, std::numeric_limits<double>::infinity()}) {
        expect_close(graded::predicted_entropy(64, variance), 0.0);
        expect_close(graded::predicted_entropy(1, variance), 0.0);
    }
}

TEST_CASE("06.4 predicted_entropy: what is left may be little, and is not 0 before the end") {
    for (const double left : {1e-3, 1e-6, 1e-9, 1e-11}) {
        const double variance = 2 * (std::log(64.0) - left);
        const long double nats = std::log(64.0L) - static_cast<long double>(variance) / 2;
        expect_close(graded::predicted_entropy(64, variance), static_cast<double>(nats),
                     {1e-12, 1e-13});
    }
}

TEST_CASE("06.4 predicted_entropy: numbers of keys around powers of two, and of ten") {
    std::vector<std::size_t> numbers{3, 5, 6, 12, 24, 48, 96};
    for (const std::size_t power : {8U, 10U, 64U, 1000U, 1024U, 65536U, 1000000U}) {
        numbers.insert(numbers.end(), {power - 1, power, power + 1});
    }
    for (const std::size_t n_keys : numbers) {
        for (const double variance : {0.0, 1.0}) {
            const double nats = std::log(static_cast<double>(n_keys)) - variance / 2;
            expect_close(graded::predicted_entropy(n_keys, variance), nats, twelve_digits);
        }
    }
}

TEST_CASE("06.4 predicted_entropy: every variance up to the end, and just before and after it") {
    for (const std::size_t n_keys : {2U, 9U, 64U, 1000U}) {
        const double ln_n = std::log(static_cast<double>(n_keys));
        for (int eighths = 0; eighths < 18; ++eighths) {
            const double variance = ln_n * eighths / 8;
            expect_close(graded::predicted_entropy(n_keys, variance),
                         std::max(ln_n - variance / 2, 0.0), twelve_digits);
        }
        for (int whole = 1; whole < 15; ++whole) {
            expect_close(graded::predicted_entropy(n_keys, whole),
                         std::max(ln_n - whole / 2.0, 0.0), twelve_digits);
        }
        for (const double little : {1e-3, 1e-6, 1e-9}) {
            expect_close(graded::predicted_entropy(n_keys, 2 * ln_n * (1 + little)), 0.0,
                         twelve_digits);
        }
    }
}

TEST_CASE("06.4 predicted_entropy: refuses no keys, and a variance that is negative or NaN") {
    expect_refused(graded::predicted_entropy.attempt(0, 1), "n_keys = 0");
    expect_refused(graded::predicted_entropy.attempt(8, -0.5), "a negative variance");
    expect_refused(graded::predicted_entropy.attempt(8, std::numeric_limits<double>::quiet_NaN()),
                   "a variance of NaN");
    for (const double variance : {0.0, 8.0, std::numeric_limits<double>::infinity()}) {
        expect_refused(graded::predicted_entropy.attempt(0, variance), "n_keys = 0");
    }
    for (const double variance :
         {-1e-3, -1e-9, -1e-300, -1e30, -std::numeric_limits<double>::infinity()}) {
        expect_refused(graded::predicted_entropy.attempt(8, variance), "a negative variance");
    }
    expect_refused(graded::predicted_entropy.attempt(1, -2), "a negative variance");
    expect_refused(graded::predicted_entropy.attempt(1, std::numeric_limits<double>::quiet_NaN()),
                   "a variance of NaN");
}

} // namespace grader_prediction
