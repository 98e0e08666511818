// 09.1 to 09.4 with more of everything than 16 bits can count, where the other sizes leave little
// to do.

#include <doctest/doctest.h>

#include <array>

#include "layers.hpp"

namespace grader_wide {

using namespace sequences;

namespace {

constexpr std::size_t many = 66001; // above 2¹⁶
// Components that are turned: a product with a matrix of (d, d) is right, and slow.
constexpr std::size_t turned = 2050;

// n_heads, n, d. Not as many heads: a thread for each is right, and a machine has not thousands.
constexpr std::array<std::size_t, 3> wide_heads[] = {{1, 1, many},  {1, many, 1},     {2, many, 1},
                                                     {2, 2, 33001}, {3, 1, many / 2}, {200, 2, 331},
                                                     {300, 2, 3}};

} // namespace

TEST_CASE("09.1 split_heads: 66,000 columns, of one head and of several, and as many positions") {
    for (const auto& [n_heads, n, d] : wide_heads) {
        const Matrix X = counted(n, n_heads * d);
        expect_close(graded::split_heads(X, n_heads), plain::stacked(plain::split(X, n_heads)),
                     exact);
    }
}

TEST_CASE("09.1 merge_heads: 66,000 columns, of one head and of several, and as many positions") {
    for (const auto& [n_heads, n, d] : wide_heads) {
        const Matrix X = counted(n, n_heads * d);
        expect_close(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X, exact);
    }
}

TEST_CASE("09.2 multi_head_attention: 66,001 components, of each kind") {
    expect_attention(random_layer({2, many, 1, 1, 1, 1}, 711), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 1, many, 1, 1}, 721), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 2, 33001, 1, 1}, 731), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 1, 1, many, 1}, 741), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 2, 1, 33001, 1}, 751), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 1, 1, 1, many}, 761), {}, of_long_sums);
}

TEST_CASE("09.3 sinusoidal_positions: 66,001 positions, and 2,050 components") {
    for (const auto& [n, d] : {std::array<std::size_t, 2>{many, 2}, {2, turned}}) {
        expect_close(graded::sinusoidal_positions(n, d), plain::sinusoidal_positions(n, d),
                     judge::Tolerance{0, 3e-10}); // an angle x is right to about x · 1e-15
    }
}

TEST_CASE("09.3 rotate: 66,001 rows, and 2,050 components") {
    const Matrix tall = standard_normal(many, 2, 771);
    const Vector positions = counting(many);
    expect_close(graded::rotate(tall, positions), plain::rotate(tall, positions),
                 judge::Tolerance{0, 0, 3e-10});
    const Matrix wide = standard_normal(2, turned, 772);
    expect_close(graded::rotate(wide, {3, 4}), plain::rotate(wide, {3, 4}),
                 judge::Tolerance{0, 0, 1e-11});
}

TEST_CASE("09.3 rotary_attention: 2,050 components of a key, and 66,001 of a value") {
    for (const auto& [d_k, d_v] : {std::array<std::size_t, 2>{turned, 1}, {2, many}}) {
        const Matrix Q = standard_normal(2, d_k, 781), K = standard_normal(2, d_k, 782),
                     V = standard_normal(2, d_v, 783);
        expect_close(graded::rotary_attention(Q, K, V, {1, 2}),
                     plain::rotary_attention(Q, K, V, {1, 2}), of_long_sums);
    }
}

TEST_CASE("09.4 grouped_query_attention: 66,001 queries, keys and components") {
    // n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v
    constexpr std::array<std::size_t, 6> sizes[] = {{many, 2, 1, 1, 1, 1},  {1, many, 1, 1, 1, 2},
                                                    {1, 2, 1, 1, many, 1},  {1, 2, 1, 1, 1, many},
                                                    {1, 2, 2, 2, 33001, 1}, {1, 2, 2, 2, 1, 33001},
                                                    {1, 2, 2, 1, 33001, 1}};
    for (const auto& [n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v] : sizes) {
        const Matrix Q = standard_normal(n_queries, n_heads * d_k, 791),
                     K = standard_normal(n_keys, n_kv_heads * d_k, 792),
                     V = standard_normal(n_keys, n_kv_heads * d_v, 793);
        expect_close(graded::grouped_query_attention(Q, K, V, n_kv_heads),
                     plain::GroupedMechanism{}(Q, K, V, n_kv_heads), of_long_sums);
    }
}

} // namespace grader_wide
