// How exact wrong answers are: right to some digits, or all but the tiny ones.

#include "products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "judge/grid.hpp"

using namespace products;
using attention::Vector;

namespace {

/// What is said of softmax(scores) where exp is only nearly that.
std::string look_of_softmax(double (*nearly_exp)(double), double spread) {
    std::vector<Judged> answers;
    for (std::size_t n = 3; n < 15; ++n) {
        const Matrix drawn = some_numbers(1, n, 0.3 + static_cast<double>(n));
        const Vector scores = spread * xt::view(drawn, 0, xt::all());
        const Vector shifted = scores - xt::amax(scores)();
        Vector right = xt::exp(shifted), got = shifted;
        std::transform(shifted.begin(), shifted.end(), got.begin(), nearly_exp);
        right /= xt::sum(right)();
        got /= xt::sum(got)();
        const bool is_right = xt::allclose(got, right, 1e-12, 0);
        answers.push_back(
            {{"scores"}, {to_value(scores)}, to_value(got), to_value(right), is_right});
    }
    const auto look = look_of(answers, {});
    return look ? look->name + ": " + look->explanation : "";
}

/// What is said of sums of weighted tanh, as scores are, where tanh is only nearly that.
std::string look_of_sums(double (*nearly_tanh)(double)) {
    const auto sums = [](const Matrix& X, const Matrix& W, double (*tanh)(double)) {
        Matrix values = 3 * X;
        std::transform(values.begin(), values.end(), values.begin(), tanh);
        return product_of(values, W);
    };
    std::vector<Judged> answers;
    for (std::size_t n = 2; n < 12; ++n) {
        const Matrix X = some_numbers(n, 4, 0.3 + static_cast<double>(n));
        const Matrix W = xt::abs(some_numbers(4, 3, 0.9));
        const Matrix got = sums(X, W, nearly_tanh), right = sums(X, W, std::tanh);
        answers.push_back({{"X", "W"},
                           {to_value(X), to_value(W)},
                           to_value(got),
                           to_value(right),
                           xt::allclose(got, right, 1e-12, 0)});
    }
    const auto look = look_of(answers, {});
    return look ? look->name + ": " + look->explanation : "";
}

} // namespace

TEST_CASE("look_of: what is tiny beside the rest is wrong, and the rest is right") {
    std::vector<Judged> answers;
    for (const double x : {0.3, 1.7, 4.1}) {
        const Vector right{x, x * 1e-30, 2, x * 1e-25};
        const Vector got{x, 1e-22, 2, 1e-22};
        answers.push_back({{"p"}, {to_value(right)}, to_value(got), to_value(right), false});
    }
    const auto look = look_of(answers, {});
    REQUIRE(look);
    CHECK(look->name == "tiny_ones_are_wrong");
    CHECK(look->explanation.starts_with("the large elements are right, and only some that are "));
    CHECK(look->explained == 3);
}

TEST_CASE("look_of: what is tiny is wrong, and the rest is right to some digits") {
    const std::string clamped =
        look_of_softmax([](double x) { return std::exp(std::max(x, -20.0)); }, 12);
    CHECK(clamped.starts_with("tiny_ones_are_wrong: the large elements are right to "));
    CHECK(
        clamped.find(" digits or more, and some that are tiny beside them are wrong. Is something "
                     "small cut off at a bound, ") != std::string::npos);
    // Not where the large ones are off by more, or where none that is tiny is wrong.
    CHECK(look_of_softmax([](double x) { return std::exp(std::max(x, -9.0)); }, 12)
              .find("tiny_ones") == std::string::npos);
    CHECK(look_of_softmax([](double x) { return std::exp2(x * 1.442695041); }, 12)
              .starts_with("a_few_digits: "));
}

TEST_CASE("look_of: right to some digits and no further") {
    const auto by_a_share = [](double share) {
        return looks_changed([=](Matrix right) {
            double off = 1;
            for (double& number : right) {
                off = std::fmod(off * 3.7 + 1.3, 5);
                number *= 1 + share * (0.3 + off / 5);
            }
            return right;
        });
    };
    CHECK(by_a_share(5e-8) ==
          "a_few_digits: the numbers are right to about 7 digits, and no further. A float on the "
          "way has 7; a constant with few decimals, an approximation (if only in a part of a "
          "function's range), something small that is added, or differences over a small step cost "
          "digits, too.");
    CHECK(by_a_share(5e-11).starts_with("a_few_digits: the numbers are right to about 10 digits"));
    CHECK(by_a_share(0.02).empty());
}

TEST_CASE("look_of: one element without a right digit is one too many to say so of the digits") {
    CHECK(looks_changed([](Matrix right) {
              for (std::size_t k = 0; k < right.size(); ++k) {
                  right.flat(k) *= 1 + 1e-8 * std::sin(static_cast<double>(k + 1));
              }
              right.flat(1) *= 1.01;
              return right;
          }).find("digits") == std::string::npos);
}

TEST_CASE("look_of: an approximation in a part of the range, of which some elements are made") {
    CHECK(look_of_sums([](double x) {
              return std::abs(x) >= 7 ? std::copysign(1.0, x) : std::tanh(x);
          }).starts_with("a_few_digits: some of the numbers are right to about "));
    const auto small = [](double x) {
        return std::abs(x) < 0.1 ? x - x * x * x / 3 : std::tanh(x);
    };
    CHECK(look_of_sums(small).starts_with("a_few_digits: some of the numbers are right to about "));
}

TEST_CASE("same_numbers: nothing finite is near an infinity") {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto same = [](double a, double b) {
        return judge::same_numbers({{2}, {a, 1}}, {{2}, {b, 1}});
    };
    CHECK(same(-infinity, -infinity));
    CHECK(same(2, 2 + 1e-12));
    CHECK_FALSE(same(0, -infinity));
    CHECK_FALSE(same(-infinity, 0));
    CHECK_FALSE(same(infinity, -infinity));
}
