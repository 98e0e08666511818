#include "support/check_close.hpp"
#include "support/special_values.hpp"

using attention::Matrix;
using attention::MatrixF;
using attention::Tensor3;
using attention::Vector;
using support::check_close;
using support::check_within;
using support::difference;
using support::difference_beyond;
using support::inf;
using support::NaN;

namespace {} // namespace

TEST_CASE("difference: equal arrays have none, empty ones too") {
    CHECK(difference(Matrix{{1, 2}, {3, 4}}, Matrix{{1, 2}, {3, 4}}, {0, 0}) == "");
    CHECK(difference(Matrix::from_shape({0, 3}), Matrix::from_shape({0, 3})) == "");
}

TEST_CASE("difference: the shape comes first, whatever the elements are") {
    CHECK(difference(Matrix{{1, 2, 3}}, Matrix{{1.0}, {2.0}, {3.0}}) ==
          "shape: expected (3, 1), got (1, 3)");
    CHECK(difference(Vector{1, 2}, Matrix{{1, 2}}) == "shape: expected (1, 2), got (2,)");
    CHECK(difference(Matrix::from_shape({0, 2}), Matrix::from_shape({0, 3})) ==
          "shape: expected (0, 3), got (0, 2)");
}

TEST_CASE("difference: names the worst of several elements") {
    CHECK(difference(Matrix{{1, 2.5, 3}, {4, 5, 7}}, Matrix{{1, 2, 3}, {4, 5, 6}}, {0, 0.25}) ==
          "2 of 6 elements too far off, worst at (1, 2): expected 6, got 7, error 1, allowed 0.25");
    CHECK(
        difference(Vector{0, 0.5}, Vector{0, 0}, {0, 0.25}) ==
        "1 of 2 elements too far off, worst at (1): expected 0, got 0.5, error 0.5, allowed 0.25");
    Tensor3 expected = xt::zeros<double>({2, 3, 4});
    Tensor3 actual = expected;
    actual(1, 2, 3) = 1;
    actual(1, 0, 2) = -2;
    CHECK(difference(actual, expected, {0, 0.5}) ==
          "2 of 24 elements too far off, worst at (1, 0, 2): "
          "expected 0, got -2, error 2, allowed 0.5");
}

TEST_CASE("difference: the worst is the one furthest beyond its own allowance") {
    CHECK(difference(Vector{1010, 1.5}, Vector{1000, 1}, {0.001, 0}) ==
          "2 of 2 elements too far off, worst at (1): "
          "expected 1, got 1.5, error 0.5, allowed 0.001");
}

TEST_CASE("difference: an error at the allowance passes, beyond it not") {
    CHECK(difference(Vector{1.5}, Vector{1.0}, {0.5, 0}) == "");
    CHECK(difference(Vector{1.5}, Vector{1.0}, {0, 0.5}) == "");
    CHECK(difference(Vector{1.5}, Vector{1.0}, {0.25, 0.125}) != "");
}

TEST_CASE("difference: without an absolute part small numbers must agree in their digits") {
    CHECK(difference(Vector{1e-20}, Vector{2e-20}) == "");
    CHECK(difference(Vector{1e-20}, Vector{2e-20}, {1e-12, 0}) != "");
    CHECK(difference(Vector{1e-320}, Vector{0.0}, {1e-12, 0}) != "");
}

TEST_CASE("difference: NaN equals NaN, and each infinity itself") {
    CHECK(difference(Vector{NaN, inf, -inf}, Vector{NaN, inf, -inf}, {0, 0}) == "");
}

TEST_CASE("difference: no tolerance joins NaN or an infinity to anything else") {
    const double values[] = {NaN, inf, -inf, 0, 1e308};
    for (const double expected : values) {
        for (const double got : values) {
            if (!(got == expected || (std::isnan(got) && std::isnan(expected))) &&
                !(std::isfinite(got) && std::isfinite(expected))) {
                CAPTURE(expected);
                CAPTURE(got);
                CHECK(difference(Vector{got}, Vector{expected}, {1e300, 1e300}) != "");
            }
        }
    }
    CHECK(difference(Vector{1, NaN}, Vector{3, 0}, {0, 1}) ==
          "2 of 2 elements too far off, worst at (1): "
          "expected 0, got nan, error nan, allowed 1");
    CHECK(difference(Vector{1.0}, Vector{inf}) == "1 of 1 elements too far off, worst at (0): "
                                                  "expected inf, got 1, error inf, allowed inf");
}

TEST_CASE("difference: float against double compares values") {
    CHECK(difference(MatrixF{{0.5F, 0.25F}}, Matrix{{0.5, 0.25}}, {0, 0}) == "");
    CHECK(difference(MatrixF{{0.1F, 0.25F}}, Matrix{{0.1, 0.25}}, {0, 0}) != "");
    CHECK(difference(MatrixF{{0.1F, 0.25F}}, Matrix{{0.1, 0.25}}, {1e-7, 0}) == "");
}

TEST_CASE("difference_beyond: every element has its own allowance") {
    const Vector bound{0.5, 0.125};
    const auto allowed = [&](std::size_t flat, double) { return bound(flat); };
    CHECK(difference_beyond(Vector{1.5, 1.125}, Vector{1, 1}, allowed) == "");
    CHECK(difference_beyond(Vector{1.5, 1.25}, Vector{1, 1}, allowed) ==
          "1 of 2 elements too far off, worst at (1): "
          "expected 1, got 1.25, error 0.25, allowed 0.125");
}

TEST_CASE("check_close, check_within: what is close passes") {
    check_close(Vector{1, NaN}, Vector{1 + 1e-13, NaN});
    check_within(Vector{1.5, 1}, Vector{1, 1}, Vector{0.5, 0});
}

TEST_CASE("check_close: fails the case when shapes differ" * doctest::should_fail()) {
    check_close(Vector{1, 2}, Vector{1, 2, 3});
}

TEST_CASE("check_close: fails the case when an element is off" * doctest::should_fail()) {
    check_close(Vector{1, 2}, Vector{1, 3});
}

TEST_CASE("check_within: fails the case when an element is off" * doctest::should_fail()) {
    check_within(Vector{1, 2}, Vector{1, 3}, Vector{5, 0.5});
}
