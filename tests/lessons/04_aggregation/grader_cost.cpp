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
constexpr std::array<std::array<std::size_t, 3>, 5> cost_sizes{
    {{1, 2, 3}, {7, 1, 5}, {5, 3, 1}, {100, 64, 32}, {65536, 128, 256}}};

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

TEST_CASE("04.5 attention_flops: five billion positions are more than 64 bits can count") {
    expect_close(graded::attention_flops(5'000'000'000, 64, 96), right_flops(5'000'000'000, 64, 96),
                 exact);
}

TEST_CASE("04.5 attention_bytes: two positions, small enough to count") {
    expect_close(graded::attention_bytes(2, 3, 5), 288.0, exact);
}

TEST_CASE("04.5 attention_bytes: other sizes agree with a count in long double") {
    for (const auto& [n, d_k, d_v] : cost_sizes) {
        expect_close(graded::attention_bytes(n, d_k, d_v), right_bytes(n, d_k, d_v), exact);
    }
}

TEST_CASE("04.5 attention_bytes: five billion positions are more than 64 bits can count") {
    expect_close(graded::attention_bytes(5'000'000'000, 64, 96), right_bytes(5'000'000'000, 64, 96),
                 exact);
}
