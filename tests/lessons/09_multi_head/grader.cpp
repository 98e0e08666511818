// 09.1, and the bytes of 09.4; the rest of the lesson: grader_attention.cpp, grader_positions.cpp,
// grader_grouped.cpp.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "sequences.hpp"

using namespace sequences;

namespace {

// n_heads, n, d: mostly pairwise different, each of them 1 somewhere and beyond 64 and 256
// somewhere.
constexpr std::array<std::array<std::size_t, 3>, 14> awkward_sizes{{{1, 1, 1},
                                                                    {1, 5, 3},
                                                                    {4, 1, 3},
                                                                    {5, 2, 1},
                                                                    {3, 5, 2},
                                                                    {2, 7, 5},
                                                                    {3, 3, 3},
                                                                    {4, 4, 2},
                                                                    {2, 67, 3},
                                                                    {3, 261, 2},
                                                                    {2, 3, 71},
                                                                    {3, 2, 267},
                                                                    {73, 2, 3},
                                                                    {269, 3, 1}}};

} // namespace

// ---- 09.1 split_heads

TEST_CASE("09.1 split_heads: two positions of six components, in three heads") {
    expect_close(graded::split_heads({{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}, 3),
                 Tensor3{{{0, 1}, {6, 7}}, {{2, 3}, {8, 9}}, {{4, 5}, {10, 11}}}, exact);
}

TEST_CASE("09.1 split_heads: one head is the whole") {
    expect_close(graded::split_heads({{1, 2, 3}, {4, 5, 6}}, 1), Tensor3{{{1, 2, 3}, {4, 5, 6}}},
                 exact);
}

TEST_CASE("09.1 split_heads: as many heads as columns") {
    expect_close(graded::split_heads({{1, 2, 3}, {4, 5, 6}}, 3),
                 Tensor3{{{1}, {4}}, {{2}, {5}}, {{3}, {6}}}, exact);
}

TEST_CASE("09.1 split_heads: awkward sizes") {
    for (const auto& [n_heads, n, d] : awkward_sizes) {
        const Matrix X = counted(n, n_heads * d);
        expect_close(graded::split_heads(X, n_heads), plain::stacked(plain::split(X, n_heads)),
                     exact);
    }
}

TEST_CASE("09.1 split_heads: any numbers, to the last bit") {
    const Matrix X = 1e9 * standard_normal(5, 12, 1);
    for (const std::size_t n_heads : {2U, 3U, 4U, 6U}) {
        expect_close(graded::split_heads(X, n_heads), plain::stacked(plain::split(X, n_heads)),
                     exact);
    }
}

TEST_CASE("09.1 split_heads: heads that do not come out even are refused, both numbers named") {
    expect_numbers_named(graded::split_heads.attempt(counted(2, 8), 3), 3, 8);
    expect_numbers_named(graded::split_heads.attempt(counted(2, 8), 16), 16, 8);
    expect_numbers_named(graded::split_heads.attempt(counted(4, 7), 0), 0, 7);
}

// ---- 09.1 merge_heads

TEST_CASE("09.1 merge_heads: three heads of two components are six columns") {
    expect_close(graded::merge_heads({{{0, 1}, {6, 7}}, {{2, 3}, {8, 9}}, {{4, 5}, {10, 11}}}),
                 Matrix{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}, exact);
}

TEST_CASE("09.1 merge_heads: one head is the whole") {
    expect_close(graded::merge_heads({{{1, 2, 3}, {4, 5, 6}}}), Matrix{{1, 2, 3}, {4, 5, 6}},
                 exact);
}

TEST_CASE("09.1 merge_heads: awkward sizes") {
    for (const auto& [n_heads, n, d] : awkward_sizes) {
        const Matrix X = counted(n, n_heads * d);
        expect_close(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X, exact);
    }
}

TEST_CASE("09.1 merge_heads: what was split is merged, to the last bit") {
    const Matrix X = 1e-9 * standard_normal(7, 20, 2);
    for (const std::size_t n_heads : {2U, 4U, 5U, 10U}) {
        const Tensor3 heads = graded::split_heads(X, n_heads);
        expect_shape(sizes(heads), {n_heads, 7, 20 / n_heads});
        expect_close(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X, exact);
        expect_close(graded::merge_heads(heads), X, exact);
    }
}

// ---- 09.4 kv_cache_bytes

namespace {

/// Ten roundings at most: five products, six sizes that may be no double.
constexpr judge::Tolerance all_digits{5e-15, 0};
constexpr double exact_below = 9'007'199'254'740'992; // 2⁵³

/// What is no whole number comes of another mistake than one that is.
const bool registered = [] {
    judge::session().compare_with(
        "kv_cache_bytes", [](const judge::Value& a, const judge::Value& b) {
            const double mine = judge::from_value<double>(a), other = judge::from_value<double>(b);
            return !judge::compare(a, b, all_digits) &&
                   (mine == std::trunc(mine)) == (other == std::trunc(other));
        });
    return true;
}();

double right_bytes(const std::array<std::size_t, 6>& of) {
    return static_cast<double>(of[0]) * static_cast<double>(of[1]) * static_cast<double>(of[2]) *
           static_cast<double>(of[3] + of[4]) * static_cast<double>(of[5]);
}

void expect_bytes(const std::array<std::size_t, 6>& of) {
    const double right = right_bytes(of);
    expect_close(graded::kv_cache_bytes(of[0], of[1], of[2], of[3], of[4], of[5]), right,
                 right < exact_below ? exact : all_digits);
}

} // namespace

TEST_CASE("09.4 kv_cache_bytes: two tokens, small enough to count") {
    expect_close(graded::kv_cache_bytes(2, 3, 1, 4, 5, 2), 108.0, exact);
}

TEST_CASE("09.4 kv_cache_bytes: other sizes") {
    for (const std::array<std::size_t, 6>& of :
         std::vector<std::array<std::size_t, 6>>{{1, 1, 1, 1, 1, 1},
                                                 {3, 5, 7, 11, 13, 4},
                                                 {7, 1, 2, 3, 5, 8},
                                                 {5, 3, 1, 2, 9, 2},
                                                 {11, 2, 3, 1, 7, 1},
                                                 {1, 6, 5, 8, 3, 4}}) {
        expect_bytes(of);
    }
}

TEST_CASE("09.4 kv_cache_bytes: no tokens, nothing kept") {
    expect_bytes({0, 3, 2, 4, 5, 2});
}

TEST_CASE("09.4 kv_cache_bytes: 4096 tokens of a model of 80 layers, with 64 heads and with 8") {
    expect_bytes({4096, 80, 64, 128, 128, 2});
    expect_bytes({4096, 80, 8, 128, 128, 2});
}

TEST_CASE("09.4 kv_cache_bytes: a long text, more bytes than 32 bits count") {
    expect_bytes({131072, 126, 8, 128, 96, 2});
    expect_bytes({1'000'003, 61, 128, 192, 131, 4});
}

TEST_CASE("09.4 kv_cache_bytes: more bytes than 64 bits count") {
    expect_bytes({45'000'000'000, 1000, 512, 256, 128, 8});
}

TEST_CASE("09.4 kv_cache_bytes: several factors of 2⁶³, and all of them: more than any integer "
          "counts") {
    const std::size_t huge = std::size_t{1} << 63U;
    const std::array<std::size_t, 6> small{3, 5, 7, 2, 1, 5};
    for (std::size_t chosen = 0; chosen < 64; ++chosen) {
        std::array<std::size_t, 6> of = small;
        for (std::size_t k = 0; k < of.size(); ++k) {
            of[k] = (chosen >> k & 1U) != 0 ? huge - k : of[k];
        }
        expect_bytes(of);
    }
}
