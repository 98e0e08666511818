// 08.4 gradient_check. Steps and points are such that the differences are known exactly, or that
// truncation is far larger than rounding.

#include "attention/random.hpp"
#include "exports.hpp"
#include "support/proof.hpp"

namespace of_gradient_check {

using namespace proof;

constexpr Tolerance nine_digits{1e-9, 1e-12};
const double nan_value = std::nan("");

double right(const lesson::ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
    double error = 0, largest = 0;
    bool nan = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        Vector above = x, below = x;
        above(i) += h;
        below(i) -= h;
        const double difference = (f(above) - f(below)) / (2 * h);
        nan = nan || std::isnan(difference) || std::isnan(gradient(i));
        error = std::max(error, std::abs(gradient(i) - difference));
        largest = std::max({largest, std::abs(gradient(i)), std::abs(difference)});
    }
    return nan ? nan_value : largest > 0 ? error / largest : 0;
}

void expect_right(const std::string& f, const Vector& x, const Vector& gradient, double h) {
    expect_close(graded::gradient_check(f, x, gradient, h),
                 right(by_name::function_named(f), x, gradient, h), nine_digits);
}

/// Of "cubes": component i is 3 (i + 1) x_i².
Vector of_cubes(const Vector& x) {
    return 3 * xt::arange<double>(1, static_cast<double>(x.size()) + 1) * x * x;
}

TEST_CASE("08.4 gradient_check: x³ at 1: the gradient is 3, and with h = 1/2 the difference 3.25") {
    // (1.5³ − 0.5³) / 1 = 3.25; the larger of 3 and 3.25 is 3.25.
    expect_close(graded::gradient_check("cubes", {1}, {3}, 0.5), 0.25 / 3.25, nine_digits);
}

TEST_CASE("08.4 gradient_check: the difference of x² + 2 y² is exact: a right gradient has no "
          "error, and a wrong one is caught at any component") {
    expect_close(graded::gradient_check("squares", {1, -2}, {2, -8}, 0.25), 0.0, nine_digits);
    expect_right("squares", {1, -2, 3}, {2, -9, 18}, 0.25);   // 1 / 18
    expect_right("squares", {1, -2, 3}, {2.5, -8, 18}, 0.25); // 0.5 / 18
    expect_right("squares", {1, -2, 3}, {2, -8, 16}, 0.25);   // 2 / 18
    expect_right("squares", {1, -2, 3}, {2, -8, 20}, 0.25);   // 2 / 20
}

TEST_CASE("08.4 gradient_check: a gradient of the wrong sign, of 0, of twice the size") {
    expect_right("squares", {1, -2}, {-2, 8}, 0.25);  // 2
    expect_right("squares", {1, -2}, {0, 0}, 0.25);   // 1
    expect_right("squares", {1, -2}, {4, -16}, 0.25); // 1 / 2
    expect_right("linear", {1, 2, 3}, {-1, -2, -4}, 0.5);
}

TEST_CASE("08.4 gradient_check: a function that does not change, and a gradient of 0") {
    expect_close(graded::gradient_check("constant", {1, 2, 3}, {0, 0, 0}, 0.5), 0.0, nine_digits);
    for (const double claimed : {4.0, 1e-12, 1e-300}) {
        expect_close(graded::gradient_check("constant", {1, 2, 3}, {0, claimed, 0}, 0.5), 1.0,
                     nine_digits);
    }
}

TEST_CASE("08.4 gradient_check: the given step, of any size, whatever x") {
    for (const double h : {0.125, 2.0}) {
        expect_right("cubes", {100, 0, -1.5}, of_cubes({100, 0, -1.5}), h);
    }
    for (const double h : {0x1p-10, 0x1p-20, 0x1p-40, 0x1p-100, 0x1p+20, 0x1p+100}) {
        expect_right("squares", {h, -3 * h, 2 * h}, {2.5 * h, -12 * h, 12 * h}, h);
        expect_right("squares", {-h, -3 * h, -2 * h}, {-2 * h, -12 * h, -13 * h}, h);
    }
}

TEST_CASE("08.4 gradient_check: only one component moves at a time, and is put back") {
    expect_right("product", {2, 3, 4}, {12, 8, 6}, 0.5);
    expect_right("product", {2, 3, 4}, {12, 8, 7}, 0.5);
    // x + h − 2h + h is 0 where x is 1e-20, and then the difference of the next one is 0, too.
    expect_right("product", {1e-20, 3e-20}, {3e-20, 1e-20}, 0.5);
}

TEST_CASE("08.4 gradient_check: divided by twice the h given, also where x + h is rounded") {
    // At 1.5 · 2^40 steps are rounded to 2^-12, so f rises by 2^-11.
    expect_close(graded::gradient_check("linear", {0x1.8p40}, {1}, 0.9 * 0x1p-12), 0.1,
                 nine_digits);
    expect_close(graded::gradient_check("linear", {0x1p60}, {1}, 0.5), 1.0, nine_digits);
}

TEST_CASE("08.4 gradient_check: f is called at x + h and x − h only") {
    // The root of a negative number is NaN, and so is sin(x) / x at 0.
    expect_right("roots", {0.5, 1, 2}, {0.75, 1, 1.125}, 0.5);
    expect_right("roots", {0.25, 0.25, 0.25}, {1, 2, 3}, 0.25);
    expect_right("sinc", {0}, {0.25}, 0.5);
}

TEST_CASE("08.4 gradient_check: gradients far larger and far smaller than 1 are treated equally") {
    expect_right("linear", {3, 1}, {1e12, 2}, 0.5);
    expect_right("squares", {1e-6, 2e-6}, {2.5e-6, 8e-6}, 0x1p-20);
    expect_right("squares", {0x1p+20, 1}, {0x1p+21, 5}, 0.5);
    const Vector x{0, 1, -1};
    expect_right("exponentials", x, {1, 2 * std::exp(1), 3 * std::exp(-1)}, 0.01);
}

TEST_CASE("08.4 gradient_check: a NaN of the gradient is not lost, last, first or between") {
    for (const std::size_t place : {2U, 0U, 1U}) {
        Vector claim{2.5, -8, 18};
        claim(place) = nan_value;
        expect_right("squares", {1, -2, 3}, claim, 0.25);
    }
    expect_right("constant", {1}, {nan_value}, 0.25);
}

TEST_CASE("08.4 gradient_check: a NaN of f is not lost, last, first or between") {
    for (const std::size_t place : {2U, 0U, 1U}) {
        Vector both{1, 1, 1}, below{1, 1, 1};
        both(place) = -4;     // whose root is NaN
        below(place) = 0.125; // the root of x − h is NaN, that of x + h is not
        expect_right("roots", both, {0.75, 1, 1.5}, 0.25);
        expect_right("roots", below, {0.75, 1, 1.5}, 0.25);
    }
    expect_right("roots", {-4}, {0}, 0.25);
}

TEST_CASE("08.4 gradient_check: 33 components, and the last one is wrong") {
    const Vector x = attention::standard_normal(33, redrawn(33));
    Vector gradient = of_cubes(x);
    gradient(32) += 165;
    expect_right("cubes", x, gradient, 0.25);
}

TEST_CASE("08.4 gradient_check: x and gradient of different lengths are refused, and an h of 0") {
    const Vector three{1, 2, 3};
    for (const Vector& other : {Vector{2}, Vector{1, 2, 3, 4}}) {
        expect_invalid_argument(graded::gradient_check.attempt("squares", three, other, 0.5),
                                {sizes(three), sizes(other)});
    }
    for (const double h : {0.0, -0.5, nan_value}) {
        expect_refused(graded::gradient_check.attempt("squares", three, three, h),
                       "h = " + std::to_string(h));
    }
}

} // namespace of_gradient_check
