#include "support/check_close.hpp"
#include "support/special_values.hpp"

using attention::Matrix;
using attention::Vector;
using support::check_close;
using support::check_within;
using support::difference;
using support::inf;
using support::NaN;

TEST_CASE("difference: equal arrays have none, empty ones too") {
    CHECK(difference(Matrix{{1, 2}, {3, 4}}, Matrix{{1, 2}, {3, 4}}, {0, 0}) == "");
    CHECK(difference(Matrix::from_shape({0, 3}), Matrix::from_shape({0, 3})) == "");
}

TEST_CASE("difference: the shape comes first, whatever the elements are") {
    CHECK(difference(Matrix{{1, 2, 3}}, Matrix{{1.0}, {2.0}, {3.0}}) ==
          "shape: expected (3, 1), got (1, 3)");
    CHECK(difference(Vector{1, 2}, Matrix{{1, 2}}) == "shape: expected (1, 2), got (2,)");
}

TEST_CASE("difference: the worst is the one furthest beyond its own allowance") {
    CHECK(difference(Matrix{{1, 2.5, 3}, {4, 5, 7}}, Matrix{{1, 2, 3}, {4, 5, 6}}, {0, 0.25}) ==
          "worst of (2, 3) at 5: expected 6, got 7, allowed 0.25");
    CHECK(difference(Vector{1010, 1.5}, Vector{1000, 1}, {0.125, 0}) ==
          "worst of (2,) at 1: expected 1, got 1.5, allowed 0.125");
    check_within(Vector{1.5, 1.125}, Vector{1, 1}, Vector{0.5, 0.125});
}

TEST_CASE("difference: an error at the allowance passes, beyond it not") {
    CHECK(difference(Vector{1.5}, Vector{1.0}, {0.5, 0}) == "");
    CHECK(difference(Vector{1.5}, Vector{1.0}, {0, 0.5}) == "");
    CHECK(difference(Vector{1.5}, Vector{1.0}, {0.25, 0.125}) != "");
    CHECK(difference(Vector{1e-20}, Vector{2e-20}, {1e-12, 0}) != ""); // nothing for what is tiny
}

TEST_CASE("difference: NaN and infinities are close to themselves alone, whatever is allowed") {
    CHECK(difference(Vector{NaN, inf, -inf}, Vector{NaN, inf, -inf}, {0, 0}) == "");
    for (const double expected : {NaN, inf, -inf, 0.0}) {
        for (const double got : {NaN, inf, -inf}) {
            CAPTURE(expected);
            CAPTURE(got);
            const bool same = got == expected || (std::isnan(got) && std::isnan(expected));
            CHECK((difference(Vector{got}, Vector{expected}, {1e300, 1e300}) == "") == same);
        }
    }
}

TEST_CASE("check_close: fails the case when an element is off" * doctest::should_fail()) {
    check_close(Vector{1, 2}, Vector{1, 3});
}

TEST_CASE("check_within: fails the case when an element is off" * doctest::should_fail()) {
    check_within(Vector{1, 2}, Vector{1, 3}, Vector{5, 0.5});
}
