// 06.4 predicted_entropy

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_predicted_entropy {

using namespace proof;

constexpr Tolerance twelve_digits{1e-12, 1e-13};

void expect_prediction(std::size_t n_keys, double variance) {
    const long double nats =
        std::log(static_cast<long double>(n_keys)) - static_cast<long double>(variance) / 2;
    expect_close(graded::predicted_entropy(n_keys, variance),
                 static_cast<double>(std::max(nats, 0.0L)), twelve_digits);
}

TEST_CASE("06.4 predicted_entropy: 64 keys, scores of variance 1: ln 64 minus one half") {
    expect_close(graded::predicted_entropy(64, 1), std::log(64.0) - 0.5, twelve_digits);
}

TEST_CASE("06.4 predicted_entropy: 0 for a variance of 2 ln n or more") {
    for (const double variance : {9.0, 64.0, 1024.0, 2 * std::log(64.0), infinity}) {
        expect_close(graded::predicted_entropy(64, variance), 0.0, twelve_digits);
    }
}

TEST_CASE("06.4 predicted_entropy: a single key leaves no uncertainty") {
    for (const double variance : {0.0, 0.5, 8.0, infinity}) {
        expect_close(graded::predicted_entropy(1, variance), 0.0, twelve_digits);
    }
}

TEST_CASE("06.4 predicted_entropy: any number of keys, and any variance") {
    for (const std::size_t n_keys : {2ULL, 3ULL, 9ULL, 64ULL, 1000ULL, 1000003ULL, 5000000000ULL}) {
        for (const double variance : {0.0, 0.25, 1.0, 1.75, 2.5, 3.0, 5.0, 7.0, 30.0, 1e6, 1e300}) {
            expect_prediction(n_keys, variance);
        }
    }
}

TEST_CASE("06.4 predicted_entropy: refuses no keys, and a variance that is negative or NaN") {
    expect_refused(graded::predicted_entropy.attempt(0, 1), "n_keys = 0");
    for (const double variance : {-0.5, -1e-9}) {
        expect_refused(graded::predicted_entropy.attempt(8, variance), "a negative variance");
    }
    expect_refused(graded::predicted_entropy.attempt(8, std::numeric_limits<double>::quiet_NaN()),
                   "a variance of NaN");
}

} // namespace of_predicted_entropy
