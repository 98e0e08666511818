#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
    const long double widths = static_cast<long double>(d_k) + static_cast<long double>(d_v);
    return static_cast<double>(2 * positions * positions * widths);
}

double right_bytes(std::size_t n, std::size_t d_k, std::size_t d_v) {
    const auto positions = static_cast<long double>(n);
    const long double widths = static_cast<long double>(d_k) + static_cast<long double>(d_v);
    return static_cast<double>(8 * (2 * positions * widths + positions * positions));
}

// n, d_k, d_v: pairwise different, and each of them 1 somewhere.
constexpr std::array<std::array<std::size_t, 3>, 11> cost_sizes{{{1, 2, 3},
                                                                 {7, 1, 5},
                                                                 {5, 3, 1},
                                                                 {100, 64, 32},
                                                                 {1, 1, 1},
                                                                 {5, 5, 2},
                                                                 {5, 2, 5},
                                                                 {3, 4, 4},
                                                                 {12345, 77, 52},
                                                                 {654358, 131, 259},
                                                                 {65536, 128, 256}}};

/// n, d_k and d_v: any two have a product beyond 64 bits, or nearly; then one of them alone is so
/// large that twice it, or eight times, is beyond. (d_k + d_v never is: it may be a sum of
/// integers.)
constexpr std::size_t two_to_61 = std::size_t{1} << 61U;
constexpr std::array<std::array<std::size_t, 3>, 8> huge{
    {{5'000'000'000, 3'000'000'000, 7'000'000'000},
     {two_to_61 + 1, 2, 3},
     {4 * two_to_61 + 5, 3, 1},
     {std::numeric_limits<std::size_t>::max(), 2, 5},
     {4 * two_to_61 + 5, 2 * two_to_61 + 3, two_to_61 + 1},
     {3, 2 * two_to_61 + 1, 5},
     {3, 5, 3 * two_to_61 + 7},
     {7, 2 * two_to_61 + 3, 4 * two_to_61 + 1}}};

const judge::Suspicion counted_in_integers{
    "looks_like_counted_in_integers",
    "it is right for small sizes, and too small for large ones: what an integer type cannot hold "
    "is "
    "lost without a word. Is something multiplied in integers, as in 2 * n * d_k, or a size "
    "converted to a signed or smaller type, such as ptrdiff_t or int? Convert each size to a "
    "double "
    "first, and compute then."};

template <class Graded, class Right>
void expect_right(Graded& graded, Right right, std::size_t n, std::size_t d_k, std::size_t d_v) {
    const double found = graded(n, d_k, d_v);
    const double wanted = right(n, d_k, d_v);
    if (std::max({n, d_k, d_v}) > 10'000 && found < 0.999 * wanted) {
        judge::session().suspect(counted_in_integers);
    }
    expect_close(found, wanted, exact);
}

/// Asked of a function that is right on small sizes.
template <class Graded, class Right>
void expect_right_where_integers_end(Graded& graded, Right right) {
    expect_right(graded, right, 7, 3, 5);
    expect_right(graded, right, 4'500'000'000, 62, 64);
    for (const auto& [n, d_k, d_v] : huge) {
        expect_right(graded, right, n, d_k, d_v);
    }
}

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
        expect_right(graded::attention_flops, right_flops, n, d_k, d_v);
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
    expect_right_where_integers_end(graded::attention_flops, right_flops);
}

TEST_CASE("04.5 attention_bytes: two positions, small enough to count") {
    expect_close(graded::attention_bytes(2, 3, 5), 288.0, exact);
}

TEST_CASE("04.5 attention_bytes: other sizes agree with a count in long double") {
    for (const auto& [n, d_k, d_v] : cost_sizes) {
        expect_right(graded::attention_bytes, right_bytes, n, d_k, d_v);
    }
}

TEST_CASE(
    "04.5 attention_bytes: four and a half billion positions are more than 64 bits can count") {
    expect_right_where_integers_end(graded::attention_bytes, right_bytes);
}
