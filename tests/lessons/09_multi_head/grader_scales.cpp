// 09.1 to 09.4 with numbers that are tiny and huge, each argument by itself; with weights that are
// small and values that are as large; and what is copied, bit by bit.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "layers.hpp"
#include "support/bounds.hpp"
#include "support/scales.hpp"

namespace grader_scales {

using namespace sequences;
using drawn::scales;

namespace {

/// All numbers of bytes below 2⁶⁴ are right, and of those that 128 bits count one is not.
bool right_until_64_bits(const bounds::Answers& answers) {
    bool shows = false, right_below = true;
    for (const auto& answer : answers) {
        const double a = judge::from_value<double>(answer.actual),
                     e = judge::from_value<double>(answer.expected);
        const bool right = std::abs(a - e) <= 1e-12 * e;
        shows = shows || (!right && e >= 0x1p+64 && e < 0x1p+128);
        right_below = right_below && (right || e >= 0x1p+64);
    }
    return shows && right_below;
}

const bool registered = [] {
    for (const char* const function : {"split_heads", "merge_heads", "multi_head_attention",
                                       "rotate", "rotary_attention", "grouped_query_attention"}) {
        bounds::look_for(function);
    }
    judge::session().recognise("kv_cache_bytes", "a_part_in_integers", right_until_64_bits);
    return true;
}();

/// Every size of number that there is, and zeros of both signs: column j of row i is about
/// 10^(−300 + 50 j).
Matrix of_all_sizes() {
    Matrix X = standard_normal(3, 12, 401);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 12; ++j) {
            X(i, j) *= std::pow(10.0, -300 + 50 * static_cast<double>(j));
        }
    }
    X(0, 4) = X(1, 7) = X(2, 0) = X(2, 11) = -0.0;
    X(0, 1) = X(1, 2) = 0.0;
    X(0, 6) = 5e-324;
    X(2, 5) = -1e-310;
    return X;
}

/// What is copied has its sign, too, if it is a zero.
template <class X>
void expect_copied(const X& actual, const X& expected) {
    expect_close(actual, expected, exact);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expect_that(
            std::signbit(actual.data()[i]) == std::signbit(expected.data()[i]),
            "a zero keeps its sign",
            std::signbit(expected.data()[i]) ? "-0.0 has become 0.0" : "0.0 has become -0.0",
            {"minus_zero_lost",
             "a zero loses its sign on the way, which to the last bit is not the same number. What "
             "is copied is assigned, heads(h, i, c) = X(i, j): not added to 0, and not "
             "multiplied."});
    }
}

} // namespace

// ---- 09.1

TEST_CASE("09.1 split_heads: tiny numbers, huge ones and zeros of both signs") {
    const Matrix X = of_all_sizes();
    for (const std::size_t n_heads : {1U, 3U, 12U}) {
        expect_copied(graded::split_heads(X, n_heads), plain::stacked(plain::split(X, n_heads)));
    }
}

TEST_CASE("09.1 merge_heads: tiny numbers, huge ones and zeros of both signs") {
    const Matrix X = of_all_sizes();
    for (const std::size_t n_heads : {1U, 3U, 12U}) {
        expect_copied(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X);
    }
}

// ---- 09.2

namespace {

Mask some_mask(std::size_t n) {
    Mask mask = plain::all_allowed(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            mask(i, j) = (i + 2 * j) % 3 != 0;
        }
    }
    return mask;
}

} // namespace

TEST_CASE("09.2 multi_head_attention: one argument that is tiny or huge by itself") {
    const Layer in = random_layer({4, 5, 2, 3, 2, 6}, 411);
    for (const double scale : scales) {
        for (const auto part : {&Layer::W_v, &Layer::W_o}) {
            Layer other = in;
            other.*part *= scale;
            expect_attention(other, {});
            expect_attention(other, some_mask(4));
        }
        Layer other = in; // scores that stay as they are, or become tiny: huge ones saturate
        other.W_q *= scale;
        other.W_k /= scale;
        expect_attention(other, {});
        other.W_q = in.W_q / scale;
        other.W_k = in.W_k / scale;
        other.X *= scale;
        expect_attention(other, some_mask(4));
        if (scale < 1) {
            other = in;
            other.X *= scale;
            expect_attention(other, some_mask(4));
        }
    }
}

TEST_CASE("09.2 multi_head_attention: scores of −1e12, −1e40 and −1e200, and blocked ones above") {
    const Layer in = random_layer({5, 4, 2, 2, 3, 6}, 421);
    expect_attention(in, some_mask(5)); // asked only of what is right on ordinary scores
    for (const double size : {1e6, 1e20, 1e100}) {
        Layer far = in;
        far.W_q.fill(0);
        far.W_k.fill(0);
        for (std::size_t i = 0; i < 5; ++i) { // keys further and further below 0
            far.X(i, 0) = 1;
            far.X(i, 1) = 1 + static_cast<double>(i);
        }
        for (std::size_t c = 0; c < 4; ++c) {
            far.W_q(0, c) = size;
            far.W_k(1, c) = -size;
        }
        expect_attention(far, some_mask(5));
        far.X(0, 1) = far.X(2, 1) = -1; // two of them far above 0
        expect_attention(far, some_mask(5));
    }
}

TEST_CASE("09.2 multi_head_attention: padding of 1e100, which nobody sees") {
    Layer in = random_layer({5, 4, 2, 3, 2, 6}, 431);
    Mask mask = some_mask(5);
    for (std::size_t i = 0; i < 5; ++i) {
        mask(i, 2) = false;
        mask(i, 4) = true;
        mask(2, i) = false;
    }
    expect_attention(in, mask); // asked only of what is right without it
    for (const double huge : {1e100, -1e100}) {
        xt::view(in.X, 2, xt::all()) = huge;
        expect_attention(in, mask);
    }
}

TEST_CASE(
    "09.2 multi_head_attention: weights of 1e-5, 1e-10, … 1e-100, whose values are as large") {
    for (int k = 5; k <= 100; k += k < 20 ? 5 : 20) {
        const double score = k * std::log(10.0), value = std::pow(10.0, k);
        // Keys 0 and 1 lie by that score apart in head 0, and in head 1 not at all.
        const Layer in{{{1, 0, 1}, {1, 1, value}},    {{1, 1}, {0, 0}, {0, 0}},
                       {{0, 0}, {-score, 0}, {0, 0}}, {{0, 0}, {0, 0}, {1, 2}},
                       {{1, 0}, {0, 1 / value}},      2};
        expect_attention(in, {}, {0, 0, 1e-10});
    }
}

// ---- 09.3

namespace {

constexpr judge::Tolerance eleven_digits{0, 0, 1e-11};

} // namespace

TEST_CASE("09.3 sinusoidal_positions: five thousand positions, of slow pairs, too") {
    for (const std::size_t d : {2U, 8U, 16U}) {
        expect_close(graded::sinusoidal_positions(5000, d), plain::sinusoidal_positions(5000, d),
                     judge::Tolerance{0, 2e-11});
    }
}

TEST_CASE("09.3 rotate: numbers of 1e-12, 1e-30, 1e-100, and of 1e12, 1e30, 1e100") {
    const Matrix X = standard_normal(3, 6, 441);
    const Vector positions{3, -1.5, 40};
    for (const double scale : scales) {
        const Matrix scaled = scale * X;
        expect_close(graded::rotate(scaled, positions), plain::rotate(scaled, positions),
                     eleven_digits);
    }
}

TEST_CASE("09.3 rotate: positions of 1e-9, 1e-12 and less") {
    for (const double p : {1e-6, 1e-9, 1e-12, 1e-30, 1e-100}) {
        const Matrix X{{1, 0, 2, 0}, {0, 1, 0, 3}};
        for (const Vector& positions : {Vector{p, p}, Vector{-p, 2 * p}}) {
            const Matrix answer = graded::rotate(X, positions);
            expect_close(answer, plain::rotate(X, positions), judge::Tolerance{1e-10, 0});
        }
    }
}

TEST_CASE("09.3 rotate: positions of a hundred thousand, and of a thousand million") {
    const Matrix X = standard_normal(3, 6, 451);
    for (const double p : {1e5, 1e7, 3e9}) { // an angle x is right to about x · 1e-15
        const Vector positions{p, p + 0.5, -p};
        expect_close(graded::rotate(X, positions), plain::rotate(X, positions),
                     judge::Tolerance{0, 0, std::max(1e-11, 1e-14 * p)});
    }
}

TEST_CASE("09.3 rotary_attention: one argument that is tiny or huge by itself") {
    const Matrix Q = standard_normal(4, 6, 461), K = standard_normal(4, 6, 462),
                 V = standard_normal(4, 3, 463);
    const Vector positions{-2, 0.5, 7, 7};
    const auto expect_rotary = [&](const Matrix& q, const Matrix& k, const Matrix& v) {
        expect_close(graded::rotary_attention(q, k, v, positions),
                     plain::rotary_attention(q, k, v, positions), eleven_digits);
    };
    for (const double scale : scales) {
        expect_rotary(Q, K, scale * V);
        expect_rotary(scale * Q, K / scale, V);
        if (scale < 1) {
            expect_rotary(scale * Q, K, V);
            expect_rotary(Q, scale * K, V);
        }
    }
}

TEST_CASE("09.3 rotary_attention: weights of 1e-5, 1e-10, … 1e-100, whose values are as large") {
    for (int k = 5; k <= 100; k += k < 20 ? 5 : 20) {
        const double score = k * std::log(10.0) * std::sqrt(2.0), value = std::pow(10.0, k);
        const Matrix Q{{1, 0}, {1, 0}}, K{{0, 0}, {-score, 0}}, V{{1, 0}, {value, 3 * value}};
        expect_close(graded::rotary_attention(Q, K, V, {0, 0}),
                     plain::rotary_attention(Q, K, V, {0, 0}), judge::Tolerance{0, 0, 1e-10});
    }
}

// ---- 09.4

namespace {

void expect_grouped(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads,
                    judge::Tolerance tolerance = judge::normwise) {
    expect_close(graded::grouped_query_attention(Q, K, V, n_kv_heads),
                 plain::GroupedMechanism{}(Q, K, V, n_kv_heads), tolerance);
}

} // namespace

TEST_CASE("09.4 grouped_query_attention: one argument that is tiny or huge by itself") {
    const Matrix Q = standard_normal(3, 12, 471), K = standard_normal(5, 6, 472),
                 V = standard_normal(5, 4, 473);
    for (const double scale : scales) {
        expect_grouped(Q, K, scale * V, 2);
        expect_grouped(scale * Q, K / scale, V, 2);
        if (scale < 1) {
            expect_grouped(scale * Q, K, V, 2);
            expect_grouped(Q, scale * K, V, 2);
        }
    }
}

TEST_CASE("09.4 grouped_query_attention: weights of 1e-5, 1e-10, … 1e-100, whose values are as "
          "large") {
    for (int k = 5; k <= 100; k += k < 20 ? 5 : 20) {
        const double score = k * std::log(10.0), value = std::pow(10.0, k);
        expect_grouped({{1, 1}}, {{0}, {-score}}, {{1}, {3 * value}}, 1, {0, 0, 1e-10});
    }
}

TEST_CASE("09.4 grouped_query_attention: sizes that are equal by twos") {
    // n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v
    constexpr std::array<std::size_t, 6> equal[] = {
        {4, 5, 4, 2, 3, 6}, {5, 4, 4, 2, 3, 6}, {2, 5, 4, 2, 3, 6}, {5, 2, 4, 2, 3, 6},
        {3, 5, 4, 2, 3, 6}, {5, 3, 4, 2, 3, 6}, {3, 5, 4, 2, 6, 3}, {5, 3, 4, 2, 6, 3},
        {5, 7, 4, 2, 4, 3}, {5, 7, 4, 2, 3, 4}, {5, 7, 4, 2, 2, 3}, {5, 7, 4, 2, 3, 2},
        {5, 7, 6, 2, 3, 4}, {5, 7, 6, 3, 4, 2}, {5, 5, 6, 2, 4, 7}, {4, 6, 6, 3, 5, 5}};
    for (const auto& [n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v] : equal) {
        expect_grouped(standard_normal(n_queries, n_heads * d_k, 481),
                       standard_normal(n_keys, n_kv_heads * d_k, 482),
                       standard_normal(n_keys, n_kv_heads * d_v, 483), n_kv_heads);
    }
}

TEST_CASE("09.4 kv_cache_bytes: any two of the factors larger than their product may be") {
    const std::size_t large = (std::size_t{1} << 33U) + 1;
    const std::array<std::size_t, 6> ones{1, 1, 1, 2, 1, 1};
    for (std::size_t a = 0; a < ones.size(); ++a) {
        for (std::size_t b = a + 1; b < ones.size(); ++b) {
            std::array<std::size_t, 6> of = ones;
            of[a] = of[b] = large;
            const double product = static_cast<double>(of[0]) * static_cast<double>(of[1]) *
                                   static_cast<double>(of[2]) * static_cast<double>(of[3] + of[4]) *
                                   static_cast<double>(of[5]);
            expect_close(graded::kv_cache_bytes(of[0], of[1], of[2], of[3], of[4], of[5]), product,
                         judge::Tolerance{1e-12, 0});
        }
    }
}

TEST_CASE("09.4 kv_cache_bytes: the largest number that is exact, and numbers of 2⁶²") {
    // 6361 · 69431 · 20394401 is 2⁵³ − 1.
    expect_close(graded::kv_cache_bytes(20394401, 69431, 1, 3361, 3000, 1), 0x1p+53 - 1, exact);
    expect_close(graded::kv_cache_bytes(1, 6361, 20394401, 1, 69430, 1), 0x1p+53 - 1, exact);
    const std::size_t huge = std::size_t{1} << 62U;
    expect_close(graded::kv_cache_bytes(huge, 1, 1, 1, 1, 1), 0x1p+63, judge::Tolerance{1e-12, 0});
    expect_close(graded::kv_cache_bytes(1, 1, 1, huge, huge, 4), 0x1p+65,
                 judge::Tolerance{1e-12, 0});
}

} // namespace grader_scales
