#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"

using judge::expect_close;
using judge::expect_that;
using judge::number_text;

// ---- 04.5

namespace {

constexpr judge::Tolerance exact{1e-12, 0};

/// What 2 n² (d_k + d_v) comes to, in long double.
double right_flops(std::size_t n, std::size_t d_k, std::size_t d_v) {
    const auto positions = static_cast<long double>(n);
    return static_cast<double>(2 * positions * positions * static_cast<long double>(d_k + d_v));
}

double right_bytes(std::size_t n, std::size_t d_k, std::size_t d_v) {
    const auto positions = static_cast<long double>(n);
    return static_cast<double>(
        8 * (2 * positions * static_cast<long double>(d_k + d_v) + positions * positions));
}

// n, d_k, d_v: pairwise different, and each of them 1 somewhere.
constexpr std::array<std::array<std::size_t, 3>, 8> cost_sizes{{{1, 2, 3},
                                                                {7, 1, 5},
                                                                {5, 3, 1},
                                                                {100, 64, 32},
                                                                {12345, 77, 52},
                                                                {654358, 131, 259},
                                                                {65536, 128, 256},
                                                                {1, 1, 1}}};

/// n, d_k and d_v, of which any two have a product beyond 64 bits, or nearly.
constexpr std::array<std::size_t, 3> huge{5'000'000'000, 3'000'000'000, 7'000'000'000};

/// In float, the order of the operations makes another last digit: then two answers are alike if
/// both are floats and as near as that.
bool alike(const judge::Value& a, const judge::Value& b) {
    const double x = judge::from_value<double>(a);
    const double y = judge::from_value<double>(b);
    const auto is_float = [](double number) {
        return static_cast<double>(static_cast<float>(number)) == number;
    };
    const double off = std::abs(x - y);
    return off <= 1e-12 * std::abs(y) || (is_float(x) && is_float(y) && off <= 1e-6 * std::abs(y));
}

const bool registered = [] {
    judge::session().compare_with("attention_flops", alike);
    judge::session().compare_with("attention_bytes", alike);
    return true;
}();

} // namespace

TEST_CASE("04.5 attention_flops: two positions, small enough to count") {
    expect_close(graded::attention_flops(2, 3, 5), 64.0, exact);
}

TEST_CASE("04.5 attention_flops: other sizes agree with a count in long double") {
    for (const auto& [n, d_k, d_v] : cost_sizes) {
        expect_close(graded::attention_flops(n, d_k, d_v), right_flops(n, d_k, d_v), exact);
    }
}

TEST_CASE("04.5 attention_flops: twice the positions, four times the operations") {
    const double once = graded::attention_flops(300, 20, 30);
    const double twice = graded::attention_flops(600, 20, 30);
    expect_that(std::abs(twice - 4 * once) <= 1e-9 * twice && once > 0,
                "600 positions take four times the operations of 300",
                "they take " + number_text(twice) + " and " + number_text(once));
}

TEST_CASE(
    "04.5 attention_flops: four and a half billion positions are more than 64 bits can count") {
    expect_close(graded::attention_flops(4'500'000'000, 62, 64), right_flops(4'500'000'000, 62, 64),
                 exact);
    expect_close(graded::attention_flops(huge[0], huge[1], huge[2]),
                 right_flops(huge[0], huge[1], huge[2]), exact);
}

TEST_CASE("04.5 attention_bytes: two positions, small enough to count") {
    expect_close(graded::attention_bytes(2, 3, 5), 288.0, exact);
}

TEST_CASE("04.5 attention_bytes: other sizes agree with a count in long double") {
    for (const auto& [n, d_k, d_v] : cost_sizes) {
        expect_close(graded::attention_bytes(n, d_k, d_v), right_bytes(n, d_k, d_v), exact);
    }
}

TEST_CASE(
    "04.5 attention_bytes: four and a half billion positions are more than 64 bits can count") {
    expect_close(graded::attention_bytes(4'500'000'000, 62, 64), right_bytes(4'500'000'000, 62, 64),
                 exact);
    expect_close(graded::attention_bytes(huge[0], huge[1], huge[2]),
                 right_bytes(huge[0], huge[1], huge[2]), exact);
}
