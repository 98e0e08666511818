// 09.4 grouped_query_attention; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "sequences.hpp"

namespace grader_grouped {

using namespace sequences;

namespace {

struct Sizes {
    std::size_t n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v;
};

void expect_grouped(const Sizes& of, std::uint64_t seed, double factor = 1) {
    const Matrix Q = factor * standard_normal(of.n_queries, of.n_heads * of.d_k, seed);
    const Matrix K = standard_normal(of.n_keys, of.n_kv_heads * of.d_k, seed + 1);
    const Matrix V = standard_normal(of.n_keys, of.n_kv_heads * of.d_v, seed + 2);
    expect_close(graded::grouped_query_attention(Q, K, V, of.n_kv_heads),
                 plain::GroupedMechanism{}(Q, K, V, of.n_kv_heads),
                 factor != 1                         ? judge::Tolerance{0, 0, 1e-9}
                 : of.n_keys > 1000 || of.d_k > 1000 ? of_long_sums
                                                     : judge::normwise);
}

const double ln3 = std::log(3.0);

} // namespace

TEST_CASE("09.4 grouped_query_attention: four heads of queries, two of keys and values, by hand") {
    // Head 0 and 1 use the keys 0 and ln 3 and the values 4 and 8, heads 2 and 3 the others.
    expect_close(graded::grouped_query_attention({{1, 0, 1, -1}}, {{0, ln3}, {ln3, 0}},
                                                 {{4, 10}, {8, 50}}, 2),
                 Matrix{{7, 6, 20, 40}}, judge::normwise);
}

TEST_CASE("09.4 grouped_query_attention: six heads of queries, two of keys, all sizes different") {
    expect_grouped({4, 5, 6, 2, 3, 7}, 1);
}

TEST_CASE("09.4 grouped_query_attention: one matrix as queries, keys and values") {
    const Matrix X = standard_normal(4, 6, 31);
    expect_close(graded::grouped_query_attention(X, X, X, 2), plain::GroupedMechanism{}(X, X, X, 2),
                 judge::normwise);
}

TEST_CASE("09.4 grouped_query_attention: agrees with PyTorch") {
    using support::golden;
    expect_close(graded::grouped_query_attention(golden("heads/grouped_Q"),
                                                 golden("heads/grouped_K"),
                                                 golden("heads/grouped_V"), 2),
                 golden("heads/grouped_output"), judge::normwise);
}

TEST_CASE("09.4 grouped_query_attention: as many heads of keys as of queries is multi-head "
          "attention") {
    expect_grouped({3, 4, 5, 5, 2, 6}, 2);
    expect_grouped({4, 4, 2, 2, 4, 4}, 3);
}

TEST_CASE("09.4 grouped_query_attention: one head of keys for all is multi-query attention") {
    expect_grouped({3, 5, 4, 1, 2, 7}, 4);
    expect_grouped({5, 5, 3, 1, 5, 5}, 5);
}

TEST_CASE("09.4 grouped_query_attention: as many groups as heads in a group") {
    expect_grouped({3, 5, 4, 2, 6, 7}, 6);
    expect_grouped({4, 6, 9, 3, 2, 5}, 7);
    expect_grouped({4, 4, 4, 2, 4, 4}, 8);
}

TEST_CASE("09.4 grouped_query_attention: more heads in a group than groups, and fewer") {
    expect_grouped({2, 3, 8, 2, 3, 4}, 9);
    expect_grouped({3, 2, 6, 3, 4, 5}, 10);
    expect_grouped({5, 4, 10, 5, 1, 3}, 11);
}

TEST_CASE("09.4 grouped_query_attention: awkward sizes agree with plain loops") {
    expect_grouped({1, 1, 1, 1, 1, 1}, 12);
    expect_grouped({1, 7, 6, 3, 2, 4}, 13);
    expect_grouped({5, 1, 4, 2, 3, 2}, 14);
    expect_grouped({67, 3, 4, 2, 2, 5}, 15);
    expect_grouped({3, 261, 4, 2, 5, 2}, 16);
    expect_grouped({2, 3, 6, 3, 267, 5}, 17);
    expect_grouped({3, 2, 4, 2, 5, 263}, 18);
    expect_grouped({2, 3, 280, 140, 1, 2}, 19);
}

TEST_CASE("09.4 grouped_query_attention: scores of several thousand") {
    expect_grouped({4, 5, 6, 2, 3, 7}, 1); // asked only of what is right on ordinary scores
    expect_grouped({3, 4, 4, 2, 3, 2}, 20, 3000);
}

TEST_CASE("09.4 grouped_query_attention: scores that are all far below 0") {
    expect_grouped({4, 5, 6, 2, 3, 7}, 1); // asked only of what is right on ordinary scores
    for (const double size : {50.0, 300.0}) {
        Matrix Q = standard_normal(3, 8, 30) / size;
        Matrix K = standard_normal(5, 4, 31) / size;
        const Matrix V = standard_normal(5, 6, 32);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t c = 0; c < 8; c += 2) { // the first component of each head
                Q(i, c) = size;
            }
        }
        for (std::size_t j = 0; j < 5; ++j) {
            K(j, 0) = K(j, 2) = -size;
            K(j, 1) *= size;
        }
        expect_close(graded::grouped_query_attention(Q, K, V, 2),
                     plain::GroupedMechanism{}(Q, K, V, 2), judge::Tolerance{0, 0, 1e-9});
    }
}

// No more heads than above: a thread for each is right, and a machine has not thousands.
TEST_CASE("09.4 grouped_query_attention: 400 queries, 5000 keys and components") {
    for (const Sizes& of : std::vector<Sizes>{{401, 2, 1, 1, 1, 1},
                                              {1, 5000, 1, 1, 1, 2},
                                              {1, 2, 1, 1, 5000, 1},
                                              {1, 2, 1, 1, 1, 5000}}) {
        expect_grouped(of, 40 + of.d_v);
    }
}

TEST_CASE("09.4 grouped_query_attention: heads that do not come out even are refused") {
    // One thing at a time does not fit: which is looked at first is the learner's choice.
    const Matrix Q = standard_normal(2, 16, 21);
    const Matrix K = standard_normal(3, 8, 22);
    const Matrix V = standard_normal(3, 10, 23);
    const auto attempt = [](const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n) {
        return graded::grouped_query_attention.attempt(q, k, v, n);
    };
    expect_numbers_named(attempt(Q, K, V, 3), 3, {8, 10});
    expect_numbers_named(attempt(Q, K, V, 4), 4, 10);
    expect_numbers_named(attempt(Q, K, V, 0), 0, {8, 10, 16});
    expect_numbers_named(attempt(standard_normal(2, 18, 24), K, V, 2), 4, 18);
    // Three heads of queries for two of keys.
    expect_numbers_named(attempt(standard_normal(2, 12, 26), K, V, 2), 2, 3);
    const Matrix V_long = standard_normal(4, 10, 25);
    expect_invalid_argument(attempt(Q, K, V_long, 2), {sizes(K), sizes(V_long)});
}

} // namespace grader_grouped
