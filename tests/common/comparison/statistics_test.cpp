#include "comparison/statistics.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace comparison;

TEST_CASE("estimate: the mean, and the deviation of one number, over n - 1") {
    const Estimate e = estimate({1, 2, 6});
    CHECK(e.mean == doctest::Approx(3));
    CHECK(e.deviation == doctest::Approx(std::sqrt(7.0)));
    CHECK(e.n_seeds == 3);
}

TEST_CASE("estimate, difference: a single number has no deviation, and tells nothing") {
    CHECK(estimate({4}).mean == 4);
    CHECK(std::isnan(estimate({4}).deviation));
    CHECK(!difference({3}, {1}).is_clear());
}

TEST_CASE("difference: Student's interval of the differences, seed by seed") {
    const Difference d = difference({11, 12, 16}, {10, 10, 10}); // 1, 2, 6: mean 3, s √7
    CHECK(d.mean == doctest::Approx(3));
    CHECK(d.high == doctest::Approx(3 + 4.303 * std::sqrt(7.0 / 3)));
    CHECK(d.low == doctest::Approx(3 - 4.303 * std::sqrt(7.0 / 3)));
    CHECK(!d.is_clear());
}
