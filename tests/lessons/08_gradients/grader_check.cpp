// 08.4: a gradient held against centred differences. Steps and points are such that the differences
// are known exactly, or that truncation is far larger than rounding.

#include <doctest/doctest.h>

#include <cmath>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

using drawn::standard_normal;
using judge::expect_close;
using lesson::Vector;

namespace {

constexpr judge::Tolerance nine_digits{1e-9, 1e-12};

const double nan_value = std::nan("");

void expect_error(const std::string& f, const Vector& x, const Vector& gradient, double h) {
    expect_close(graded::gradient_check(f, x, gradient, h),
                 plain::gradient_check(by_name::function_named(f), x, gradient, h), nine_digits);
}

/// Of "cubes": component i is 3 (i + 1) x_i².
Vector cubes_gradient(const Vector& x) {
    Vector gradient = 3 * x * x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        gradient(i) *= static_cast<double>(i + 1);
    }
    return gradient;
}

} // namespace

TEST_CASE(
    "08.4 gradient_check: x³ at 1 has the gradient 3, and with h = 1/2 a difference of 3.25") {
    // (1.5³ − 0.5³) / 1 = 3.25; the larger of 3 and 3.25 is 3.25.
    expect_close(graded::gradient_check("cubes", {1}, {3}, 0.5), 0.25 / 3.25, nine_digits);
}

TEST_CASE(
    "08.4 gradient_check: x² + 2 y² is differenced exactly, and a right gradient has no error") {
    expect_close(graded::gradient_check("squares", {1, -2}, {2, -8}, 0.25), 0.0, nine_digits);
    expect_close(graded::gradient_check("linear", {3, 1, 5}, {1, 2, 3}, 0.5), 0.0, nine_digits);
}

TEST_CASE(
    "08.4 gradient_check: a gradient that is wrong in one component is caught, in any of them") {
    expect_close(graded::gradient_check("squares", {1, -2, 3}, {2.5, -8, 18}, 0.25), 0.5 / 18,
                 nine_digits);
    expect_close(graded::gradient_check("squares", {1, -2, 3}, {2, -9, 18}, 0.25), 1.0 / 18,
                 nine_digits);
    expect_close(graded::gradient_check("squares", {1, -2, 3}, {2, -8, 16}, 0.25), 2.0 / 18,
                 nine_digits);
    expect_close(graded::gradient_check("squares", {1, -2, 3}, {2, -8, 20}, 0.25), 2.0 / 20,
                 nine_digits);
}

TEST_CASE("08.4 gradient_check: a gradient of the wrong sign is off by twice its size") {
    expect_close(graded::gradient_check("squares", {1, -2}, {-2, 8}, 0.25), 2.0, nine_digits);
    expect_close(graded::gradient_check("cubes", {2}, {-12}, 0.5), 24.25 / 12.25, nine_digits);
}

TEST_CASE("08.4 gradient_check: a gradient of 0, and one of twice the size") {
    expect_close(graded::gradient_check("squares", {1, -2}, {0, 0}, 0.25), 1.0, nine_digits);
    expect_close(graded::gradient_check("squares", {1, -2}, {4, -16}, 0.25), 0.5, nine_digits);
}

TEST_CASE("08.4 gradient_check: a function that does not change, and a gradient of 0") {
    expect_close(graded::gradient_check("constant", {1, 2, 3}, {0, 0, 0}, 0.5), 0.0, nine_digits);
    expect_close(graded::gradient_check("constant", {1, 2, 3}, {0, 4, 0}, 0.5), 1.0, nine_digits);
    expect_close(graded::gradient_check("squares", {0, 0}, {0, 0}, 0.5), 0.0, nine_digits);
}

TEST_CASE("08.4 gradient_check: half the step, a quarter of the error") {
    const Vector x{0.5, 1, -1.5};
    for (const double h : {0.5, 0.25, 0.125, 0.0625}) {
        expect_error("cubes", x, cubes_gradient(x), h);
    }
}

TEST_CASE("08.4 gradient_check: the step is the one given, whatever x is") {
    for (const double x : {100.0, 0.0, -3.0}) {
        const Vector at{x, 1};
        expect_error("cubes", at, cubes_gradient(at), 2);
        expect_error("cubes", at, cubes_gradient(at), 0.5);
    }
}

TEST_CASE("08.4 gradient_check: a step of 1e-3, 1e-6, 1e-12 and far less, and one of 1e3 and 1e6") {
    for (const double h : {0x1p-10, 0x1p-20, 0x1p-30, 0x1p-40, 0x1p-100, 0x1p+10, 0x1p+20}) {
        const Vector x{h, -3 * h, 2 * h}; // of the size of the step, whose error then shows
        expect_error("cubes", x, cubes_gradient(x), h);
        expect_error("squares", x, {2.5 * h, -12 * h, 12 * h}, h);
    }
}

TEST_CASE("08.4 gradient_check: divided by twice the h given, also where x + h is rounded") {
    // At 1.5 · 2^40 steps are rounded to 2^-12, that of 2h back from x + h as well as that of h
    // from x, so that f rises by 2^-11.
    expect_close(graded::gradient_check("linear", {0x1.8p40}, {1}, 0.9 * 0x1p-12), 0.1,
                 nine_digits);
    expect_close(graded::gradient_check("linear", {0x1p60}, {1}, 0.5), 1.0, nine_digits);
}

TEST_CASE("08.4 gradient_check: a component that is 0, first, between and last") {
    for (std::size_t place = 0; place < 3; ++place) {
        Vector x{0.5, 1, -1.5};
        x(place) = 0;
        expect_error("cubes", x, cubes_gradient(x), 0.25);
        expect_error("exponentials", x, {1, 2, 1.5}, 0.5);
        expect_error("product", x, {1, 2, 1.5}, 0.5);
    }
}

TEST_CASE("08.4 gradient_check: a claim of 0, first, between and last, and differences of 0") {
    for (std::size_t place = 0; place < 3; ++place) {
        Vector claim{3.5, -7, 19};
        claim(place) = 0;
        expect_error("squares", {1, -2, 3}, claim, 0.25);
        Vector x{0, 0, 0}; // whose differences of squares are 0, but for one
        x(place) = 1;
        expect_error("squares", x, {0.5, 0.25, -1}, 0.25);
        expect_error("squares", x, {0, 0, 0}, 0.25);
    }
}

TEST_CASE("08.4 gradient_check: a component is put back where it was, to the last digit") {
    // x + h − 2h + h is 0 where x is 1e-20, and then the other's difference is 0 too.
    expect_error("product", {1e-20, 3e-20}, {3e-20, 1e-20}, 0.5);
    expect_error("product", {3e-20, 1e-20, 2e-20}, {2e-40, 6e-40, 3e-40}, 0.5);
}

TEST_CASE("08.4 gradient_check: f is asked at x + h and x − h, and nowhere else") {
    // The root of what is below 0 is NaN: of these no step may go further than h.
    expect_error("roots", {0.5, 1, 2}, {0.75, 1, 1.125}, 0.5);
    expect_error("roots", {0.25, 0.25, 0.25}, {1, 2, 3}, 0.25);
    // sin(x) / x at 0, where it is 0 / 0: x itself is not asked for, either.
    expect_error("sinc", {0}, {0.25}, 0.5);
    expect_error("sinc", {0}, {0}, 0.125);
}

TEST_CASE(
    "08.4 gradient_check: only one component moves at a time, the others stay where they are") {
    expect_error("product", {2, 3, 4}, {12, 8, 6}, 0.5);
    expect_error("product", {2, 3, 4}, {12, 8, 7}, 0.5);
    expect_error("product", {1, -1, 2, 0.5, 3}, {-3, 3, -1.5, -6, -1}, 0.25);
}

TEST_CASE("08.4 gradient_check: exponentials, whose third derivative is the error") {
    const Vector x{0, 1, -1};
    expect_error("exponentials", x, {1, 2 * std::exp(1), 3 * std::exp(-1)}, 0.5);
    expect_error("exponentials", x, {1, 2 * std::exp(1), 3 * std::exp(-1)}, 0.01);
    expect_error("exponentials", x, {0, 2 * std::exp(1), 3 * std::exp(-1)}, 0.01);
}

TEST_CASE("08.4 gradient_check: gradients far larger and far smaller than 1 are judged alike") {
    expect_error("linear", {3, 1}, {1e12, 2}, 0.5);
    expect_error("squares", {1e-6, 2e-6}, {2.5e-6, 8e-6}, 0x1p-20);
    expect_error("squares", {0x1p+20, 1}, {0x1p+21, 5}, 0.5);
}

TEST_CASE("08.4 gradient_check: a NaN is not lost, first, last or between") {
    for (std::size_t place = 0; place < 3; ++place) {
        Vector gradient{2, -8, 18};
        gradient(place) = nan_value;
        expect_close(graded::gradient_check("squares", {1, -2, 3}, gradient, 0.25), nan_value,
                     nine_digits);
        Vector x{1, 1, 1};
        x(place) = -4; // whose root is NaN
        expect_close(graded::gradient_check("roots", x, {0.5, 1, 1.5}, 0.25), nan_value,
                     nine_digits);
    }
}

TEST_CASE("08.4 gradient_check: many components, more than 64, 256 and 2,048") {
    for (const std::size_t n : {2U, 7U, 17U, 33U, 65U, 67U, 129U, 261U, 2503U}) {
        const Vector x = standard_normal(n, n);
        Vector gradient = cubes_gradient(x);
        expect_error("cubes", x, gradient, 0.25);
        gradient(n - 1) += 5.0 * static_cast<double>(n);
        expect_error("cubes", x, gradient, 0.25);
    }
}

TEST_CASE("08.4 gradient_check: x and gradient of different lengths are refused, and an h of 0") {
    const Vector x{1, 2, 3}, gradient{1, 2};
    judge::expect_invalid_argument(graded::gradient_check.attempt("squares", x, gradient, 0.5),
                                   {judge::sizes(x), judge::sizes(gradient)});
    for (const double h : {0.0, -0.5, nan_value}) {
        judge::expect_refused(graded::gradient_check.attempt("squares", x, x, h),
                              "h = " + std::to_string(h));
    }
}
