#include "judge/compare.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "judge_values.hpp"
#include "support/special_values.hpp"

using namespace judge;
using attention::Matrix;
using attention::Vector;
using support::inf;

namespace {

const double nan_value = std::nan("");

template <class T>
std::optional<Mismatch> difference(const T& actual, const T& expected,
                                   Tolerance tolerance = roughly) {
    return compare(to_value(actual), to_value(expected), tolerance);
}

template <class T>
bool agree(const T& actual, const T& expected, Tolerance tolerance = roughly) {
    return !difference(actual, expected, tolerance);
}

} // namespace

TEST_CASE("compare: the worst element is named, in units of the allowed error") {
    const Matrix expected{{1, 100, 3}, {4, 0, 6}};
    // 100 → 101 is a hundredth off, 0 → 0.5 half a million times the absolute part.
    const auto mismatch = difference(Matrix{{1, 101, 3}, {4, 0.5, 6.1}}, expected);
    REQUIRE(mismatch);
    CHECK_FALSE(mismatch->shape);
    CHECK(mismatch->member.empty());
    CHECK(mismatch->index == std::vector<std::size_t>{1, 1});
    CHECK(mismatch->expected == 0);
    CHECK(mismatch->actual == 0.5);
}

TEST_CASE("compare: the tolerance is relative to the expected value, plus an absolute part") {
    const Tolerance tolerance{0.01, 0.5};
    CHECK(agree(101.5, 100.0, tolerance));
    CHECK_FALSE(agree(101.6, 100.0, tolerance));
    CHECK(agree(-0.5, 0.0, tolerance));
    CHECK_FALSE(agree(-0.51, 0.0, tolerance));
    CHECK(agree(1.0, 1.0, {0, 0}));
    CHECK_FALSE(agree(std::nextafter(1.0, 2.0), 1.0, {0, 0}));
    CHECK(agree(1 + 1e-5, 1.0));
    CHECK_FALSE(agree(1 + 2e-5, 1.0));
}

TEST_CASE("compare: NaN agrees with NaN alone, an infinity with itself alone") {
    for (const double x : {nan_value, inf, -inf}) {
        CHECK(agree(x, x));
        CHECK(agree(Vector{x}, Vector{x}));
        for (const double y : {0.0, 1e308, inf, -inf}) {
            CAPTURE(x);
            CAPTURE(y);
            CHECK(agree(x, y) == (x == y));
            CHECK(agree(y, x) == (x == y));
        }
    }
    // Not even where the tolerance is infinite too.
    CHECK_FALSE(agree(1.0, inf, {1, 0}));
    CHECK_FALSE(agree(1e308, -1e308));
}

TEST_CASE("compare: a NaN is further off than any number") {
    const auto mismatch = difference(Vector{1e9, nan_value, 1e10}, Vector{0, 0, 0});
    REQUIRE(mismatch);
    CHECK(mismatch->index == std::vector<std::size_t>{1});
    CHECK(std::isnan(mismatch->actual));
}

TEST_CASE("compare: shapes are compared before values") {
    const auto mismatch = difference(Matrix{{1, 2, 3}}, Matrix{{9}, {9}, {9}});
    REQUIRE(mismatch);
    CHECK(mismatch->shape);
    CHECK(mismatch->index.empty());
    CHECK(difference(Matrix::from_shape({0, 3}), Matrix::from_shape({3, 0}))->shape);
    CHECK(agree(Matrix::from_shape({0, 3}), Matrix::from_shape({0, 3})));
    CHECK(compare(to_value(Vector{1}), to_value(Matrix{{1}}))->shape);
}

TEST_CASE("compare: values of different types differ in shape") {
    CHECK(compare({1.0}, {std::int64_t{1}})->shape);
    CHECK(compare({}, {1.0})->shape);
    CHECK(compare(to_value(Vector{1}), {List{{1.0}}})->shape);
    CHECK_FALSE(compare({}, {}));
}

TEST_CASE("compare: a struct's first member that differs is named") {
    const lesson::Sample expected{{{1, 2}}, {3, 4}, "text", 5};
    lesson::Sample actual = expected;
    CHECK(agree(actual, expected));
    actual.entropy = {3, 5};
    const auto values = difference(actual, expected);
    REQUIRE(values);
    CHECK(values->member == "entropy");
    CHECK(values->index == std::vector<std::size_t>{1});
    actual.weights = {{1, 2}, {3, 4}};
    const auto shape = difference(actual, expected);
    REQUIRE(shape);
    CHECK(shape->member == "weights");
    CHECK(shape->shape);
    actual = expected;
    actual.label = "other";
    CHECK(difference(actual, expected)->member == "label");
    actual = expected;
    actual.step = std::nullopt;
    CHECK(difference(actual, expected)->member == "step");
    CHECK(difference(actual, expected)->shape);
}

TEST_CASE("compare: a list's first item that differs is named") {
    const std::vector<double> expected{1, 2, 3};
    CHECK(agree(expected, expected));
    CHECK(difference({1, 2}, expected)->shape);
    const auto mismatch = difference({1, 2.5, 4}, expected);
    REQUIRE(mismatch);
    CHECK(mismatch->member == "[1]");
    CHECK(mismatch->expected == 2);
    CHECK(mismatch->actual == 2.5);
}

TEST_CASE("compare: normwise allows errors of cancellation, in_double does not") {
    const Value expected = to_value(Vector{1000, 1e-3, 0});
    const Value off = to_value(Vector{1000, 1e-3 + 1e-10, 1e-10});
    CHECK_FALSE(compare(off, expected, normwise));
    CHECK(compare(to_value(Vector{1000 + 1e-8, 1e-3, 0}), expected, normwise));
    CHECK(compare(off, expected, in_double));
    const Value weights = to_value(Vector{1, 1e-40});
    CHECK_FALSE(compare(to_value(Vector{1 + 1e-11, 1e-40 * (1 + 1e-11)}), weights, in_double));
    CHECK(compare(to_value(Vector{1, 0}), weights, in_double));
    CHECK_FALSE(compare(to_value(Vector{1, 0}), weights, normwise));
    CHECK(compare(to_value(0.1 + 1e-10), to_value(0.1), normwise));
    CHECK_FALSE(compare(to_value(0.1 + 1e-14), to_value(0.1), normwise));
}

TEST_CASE("same_form: types and shapes of all members, whatever their numbers") {
    const Matrix wide{{1, 2}}, other{{3, -4}}, tall{{1}, {2}};
    CHECK(same_form(to_value(wide), to_value(other)));
    CHECK_FALSE(same_form(to_value(wide), to_value(tall)));
    CHECK_FALSE(same_form(to_value(wide), to_value(1.0)));
    CHECK(same_form(to_value(1.0), to_value(2.0)));
    CHECK(same_form(to_value(std::vector<Matrix>{wide, tall}),
                    to_value(std::vector<Matrix>{other, tall})));
    CHECK_FALSE(same_form(to_value(std::vector<Matrix>{wide, tall}),
                          to_value(std::vector<Matrix>{wide, wide})));
    CHECK_FALSE(
        same_form(to_value(std::vector<Matrix>{wide}), to_value(std::vector<Matrix>{wide, tall})));
}

TEST_CASE("is_undefined: NaN or an infinity where there should be a number, in any member") {
    const auto values = [](double a, double b) { return to_value(Matrix{{a, b}}); };
    CHECK(is_undefined(values(1, nan_value), values(1, 2)));
    CHECK(is_undefined(values(-inf, 2), values(1, 2)));
    CHECK(is_undefined(values(nan_value, 2), values(inf, 2)));
    CHECK_FALSE(is_undefined(values(-inf, 2), values(inf, 2)));
    CHECK_FALSE(is_undefined(values(3, 4), values(1, 2)));
    CHECK(is_undefined(Value{List{values(1, 2), values(1, nan_value)}},
                       Value{List{values(1, 2), values(1, 2)}}));
    CHECK(is_undefined(to_value(nan_value), to_value(1.0)));
}
