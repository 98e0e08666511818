#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "attention/projections.hpp"
#include "attention/random.hpp"
#include "exports.hpp"
#include "judge/expect.hpp"
#include "marking.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

using attention::standard_normal;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;

namespace {

Matrix some_weights(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed) {
    return oracle::softmax_rows(standard_normal(n_queries, n_keys, seed));
}

Matrix right_weights(const Matrix& Q, const Matrix& K) {
    return oracle::softmax_rows(oracle::scaled_scores(Q, K));
}

Matrix right_output(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return oracle::matmul(right_weights(Q, K), V);
}

Matrix rows(const Matrix& A, const std::vector<std::size_t>& order) {
    return xt::view(A, xt::keep(order), xt::all());
}

Matrix columns(const Matrix& A, const std::vector<std::size_t>& order) {
    return xt::view(A, xt::all(), xt::keep(order));
}

/// The first sequence of a batch saved from PyTorch.
Matrix saved(const std::string& name) {
    return xt::view(support::golden_tensor3("attention/" + name), 0, xt::all(), xt::all());
}

// n_queries, n_keys, d_k, d_v: pairwise different, and each of them 1 somewhere.
constexpr std::array<std::array<std::size_t, 4>, 6> awkward_sizes{
    {{1, 2, 3, 5}, {2, 1, 5, 3}, {4, 3, 1, 2}, {3, 5, 2, 1}, {7, 11, 5, 3}, {13, 17, 31, 19}}};

// Half of 2 ln 2 and half of 2 ln 3 are the scores; the weights are 1/6, 1/3 and 1/2, and a third
// each.
const Matrix hand_Q{{2, 0, 0, 0}, {0, 0, 0, 0}};
const Matrix hand_K{{0, 1, 0, 0}, {std::log(2.0), 0, 3, 0}, {std::log(3.0), 0, 0, -1}};

const Matrix eye2{{1, 0}, {0, 1}};
const Matrix eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const Matrix rising{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
// Scaled, these score 5000 and 4998, and -5000 and -4998.
const Matrix far_apart_Q{{100, 0, 0, 0}, {-100, 0, 0, 0}};
const Matrix far_apart_K{{100, 0, 0, 0}, {99.96, 0, 0, 0}};

constexpr judge::Tolerance six_decimals{0, 1e-6};

} // namespace

// ---- 04.1

TEST_CASE("04.1 aggregate: two queries and three values, small enough to do by hand") {
    expect_close(graded::aggregate({{0.5, 0.25, 0.25}, {0, 1, 0}},
                                   {{4, 0, 8, 1}, {0, 4, 0, 1}, {8, -4, 0, 1}}),
                 Matrix{{4, 0, 4, 1}, {0, 4, 0, 1}});
}

TEST_CASE("04.1 aggregate: as many queries as keys as components") {
    expect_close(graded::aggregate({{0.5, 0.5, 0}, {0.25, 0.5, 0.25}, {0, 0, 1}},
                                   {{2, 4, 0}, {6, 0, -2}, {4, 8, 12}}),
                 Matrix{{4, 2, -1}, {4.5, 3, 2}, {4, 8, 12}});
}

TEST_CASE("04.1 aggregate: a weight of 1 fetches a value as it is") {
    const Matrix V = standard_normal(3, 5, 11);
    expect_close(graded::aggregate({{0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, V),
                 rows(V, {2, 0, 2, 1}));
}

TEST_CASE("04.1 aggregate: equal weights give the mean of the values") {
    expect_close(graded::aggregate({{0.25, 0.25, 0.25, 0.25}}, {{1, 8}, {2, 0}, {3, 0}, {6, -4}}),
                 Matrix{{3, 1}});
}

TEST_CASE("04.1 aggregate: a mixture stays between the smallest and the largest value") {
    const Matrix V = standard_normal(4, 3, 12);
    const Matrix output = graded::aggregate(some_weights(5, 4, 13), V);
    expect_shape(sizes(output), {5, 3});
    for (std::size_t c = 0; c < 3; ++c) {
        const double low = xt::amin(xt::view(V, xt::all(), c))();
        const double high = xt::amax(xt::view(V, xt::all(), c))();
        for (std::size_t i = 0; i < 5; ++i) {
            expect_that(output(i, c) >= low - 1e-9 && output(i, c) <= high + 1e-9,
                        "component " + std::to_string(c) + " of the values lies between " +
                            number_text(low) + " and " + number_text(high) +
                            ", and so does that of any mixture",
                        "for query " + std::to_string(i) + " it is " + number_text(output(i, c)));
        }
    }
}

TEST_CASE("04.1 aggregate: each query by itself, whatever the others ask for") {
    const Matrix weights = some_weights(3, 5, 14);
    const Matrix V = standard_normal(5, 2, 15);
    const Matrix together = graded::aggregate(weights, V);
    expect_close(together, oracle::matmul(weights, V));
    expect_close(graded::aggregate(rows(weights, {2}), V), rows(together, {2}));
}

TEST_CASE("04.1 aggregate: keys in another order, weights and values alike, change nothing") {
    const Matrix weights = some_weights(2, 4, 16);
    const Matrix V = standard_normal(4, 3, 17);
    const std::vector<std::size_t> order{2, 0, 3, 1};
    expect_close(graded::aggregate(columns(weights, order), rows(V, order)),
                 oracle::matmul(weights, V));
}

TEST_CASE("04.1 aggregate: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : awkward_sizes) {
        const Matrix weights = some_weights(n_queries, n_keys, d_k);
        const Matrix V = standard_normal(n_keys, d_v, 100 + d_k);
        expect_close(graded::aggregate(weights, V), oracle::matmul(weights, V));
    }
}

TEST_CASE("04.1 aggregate: agrees with PyTorch") {
    expect_close(graded::aggregate(saved("none_weights"), saved("V")), saved("none_output"));
}

TEST_CASE("04.1 aggregate: weights for another number of keys are refused, and both shapes named") {
    const Matrix weights = some_weights(2, 3, 1);
    const Matrix V = standard_normal(4, 5, 2);
    expect_invalid_argument(graded::aggregate.attempt(weights, V), {sizes(weights), sizes(V)});
}

// ---- 04.2

TEST_CASE("04.2 attention_weights: two queries and three keys, small enough to do by hand") {
    expect_close(graded::attention_weights(hand_Q, hand_K),
                 Matrix{{1.0 / 6, 1.0 / 3, 1.0 / 2}, {1.0 / 3, 1.0 / 3, 1.0 / 3}});
}

TEST_CASE("04.2 attention_weights: first worked example, 0.669762 and 0.330238") {
    expect_close(graded::attention_weights(eye2, eye2),
                 Matrix{{0.669762, 0.330238}, {0.330238, 0.669762}}, six_decimals);
}

TEST_CASE("04.2 attention_weights: three queries, three keys, three components") {
    const Matrix Q{{1, 2, 0}, {0, -1, 1}, {2, 0, 3}};
    const Matrix K{{1, 0, 1}, {0, 2, -1}, {-1, 1, 0}};
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K));
}

TEST_CASE("04.2 attention_weights: every query shares out 1, and no key gets less than nothing") {
    const Matrix weights =
        graded::attention_weights(standard_normal(3, 5, 21), standard_normal(4, 5, 22));
    expect_shape(sizes(weights), {3, 4});
    for (std::size_t i = 0; i < 3; ++i) {
        const double sum = xt::sum(xt::view(weights, i, xt::all()))();
        expect_that(std::abs(sum - 1) <= 1e-5, "row " + std::to_string(i) + " sums to 1",
                    "it sums to " + number_text(sum));
    }
    for (const double weight : weights) {
        expect_that(weight >= 0, "no weight is negative", "there is one of " + number_text(weight));
    }
}

TEST_CASE("04.2 attention_weights: a query without a direction attends to all keys alike") {
    expect_close<Matrix>(
        graded::attention_weights(xt::zeros<double>({2, 3}), standard_normal(5, 3, 23)),
        xt::ones<double>({2, 5}) / 5);
}

TEST_CASE("04.2 attention_weights: one vector added to every key changes nothing") {
    const Matrix Q = standard_normal(2, 3, 24);
    const Matrix K = standard_normal(4, 3, 25);
    expect_close(graded::attention_weights(Q, K + Matrix{{1, -2, 0.5}}), right_weights(Q, K));
}

TEST_CASE(
    "04.2 attention_weights: reordered queries reorder the rows, reordered keys the columns") {
    const Matrix Q = standard_normal(3, 2, 26);
    const Matrix K = standard_normal(4, 2, 27);
    const Matrix weights = right_weights(Q, K);
    expect_close(graded::attention_weights(rows(Q, {2, 0, 1}), K), rows(weights, {2, 0, 1}));
    expect_close(graded::attention_weights(Q, rows(K, {3, 1, 0, 2})),
                 columns(weights, {3, 1, 0, 2}));
}

TEST_CASE("04.2 attention_weights: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, d_v);
        const Matrix K = standard_normal(n_keys, d_k, 100 + d_v);
        expect_close(graded::attention_weights(Q, K), right_weights(Q, K));
    }
}

TEST_CASE("04.2 attention_weights: agrees with PyTorch") {
    expect_close(graded::attention_weights(saved("Q"), saved("K")), saved("none_weights"));
}

TEST_CASE("04.2 attention_weights: scores of thousands stay finite") {
    // Asked only of a function that is right on ordinary scores: how a wrong formula overflows
    // would hide which formula it is.
    const Matrix Q = standard_normal(3, 4, 28);
    const Matrix K = standard_normal(2, 4, 29);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K));
    expect_close(graded::attention_weights({{100, 0, 0, 0}}, {{100, 0, 0, 0}, {99.96, 0, 0, 0}}),
                 oracle::softmax_rows(Matrix{{5000, 4998}}));
}

TEST_CASE("04.2 attention_weights: one query's scores lie at 5000, another's at -5000") {
    const Matrix Q = standard_normal(3, 4, 28);
    const Matrix K = standard_normal(2, 4, 29);
    expect_close(graded::attention_weights(Q, K), right_weights(Q, K));
    expect_close(graded::attention_weights(far_apart_Q, far_apart_K),
                 oracle::softmax_rows(Matrix{{5000, 4998}, {-5000, -4998}}));
}

TEST_CASE("04.2 attention_weights: other widths are refused, and both shapes named") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    expect_invalid_argument(graded::attention_weights.attempt(Q, K), {sizes(Q), sizes(K)});
}

TEST_CASE("04.2 attention_weights: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::attention_weights.attempt(Q, K), {sizes(Q), sizes(K)});
}

// ---- 04.3

namespace {

/// A worked example from the sequence to the output; compute_qkv is lesson 01's, out of the
/// library.
void expect_from_sequence(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                          const Matrix& output) {
    const auto [Q, K, V] = attention::compute_qkv(X, W_q, W_k, W_v);
    expect_close(graded::self_attention(Q, K, V), output, six_decimals);
}

} // namespace

TEST_CASE("04.3 self_attention: two queries and three keys, small enough to do by hand") {
    expect_close(graded::self_attention(hand_Q, hand_K,
                                        {{6, 0, 12, 0, 6}, {0, 3, 0, 6, 6}, {2, 4, 0, 0, 6}}),
                 Matrix{{2, 3, 2, 2, 6}, {8.0 / 3, 7.0 / 3, 4, 2, 6}});
}

TEST_CASE("04.3 self_attention: first worked example, from the sequence to the output") {
    expect_from_sequence(eye2, eye2, eye2, {{1, 2}, {3, 4}},
                         {{1.660477, 2.660477}, {2.339523, 3.339523}});
}

TEST_CASE("04.3 self_attention: second worked example, from the sequence to the output") {
    expect_from_sequence(eye3, eye3, eye3, eye3,
                         {{0.471083, 0.264458, 0.264458},
                          {0.264458, 0.471083, 0.264458},
                          {0.264458, 0.264458, 0.471083}});
}

TEST_CASE("04.3 self_attention: third worked example, from the sequence to the output") {
    expect_from_sequence({{1, 2, 3}, {4, 5, 6}}, rising, rising, {{1, 0}, {0, 1}, {1, 1}},
                         {{9.999928, 10.999928}, {10.000000, 11.000000}});
}

TEST_CASE("04.3 self_attention: all sizes alike, and the three matrices all different") {
    const Matrix Q = standard_normal(4, 4, 31);
    const Matrix K = standard_normal(4, 4, 32);
    const Matrix V = standard_normal(4, 4, 33);
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V));
}

TEST_CASE("04.3 self_attention: keys and values in another order change nothing") {
    const Matrix Q = standard_normal(3, 2, 34);
    const Matrix K = standard_normal(5, 2, 35);
    const Matrix V = standard_normal(5, 4, 36);
    const Matrix output = graded::self_attention(Q, K, V);
    expect_close(output, right_output(Q, K, V));
    const std::vector<std::size_t> order{4, 2, 0, 1, 3};
    expect_close(graded::self_attention(Q, rows(K, order), rows(V, order)), output);
}

TEST_CASE("04.3 self_attention: queries in another order put the output in that order") {
    const Matrix Q = standard_normal(4, 3, 37);
    const Matrix K = standard_normal(2, 3, 38);
    const Matrix V = standard_normal(2, 5, 39);
    const Matrix output = graded::self_attention(Q, K, V);
    expect_close(output, right_output(Q, K, V));
    const std::vector<std::size_t> order{3, 1, 0, 2};
    expect_close(graded::self_attention(rows(Q, order), K, V), rows(output, order));
}

TEST_CASE("04.3 self_attention: keys that are all alike give every query the mean of the values") {
    expect_close(graded::self_attention(standard_normal(2, 4, 40), xt::ones<double>({3, 4}),
                                        {{1, 9, 0, 2, 0}, {2, 0, 0, 2, 3}, {6, 0, 3, 2, 0}}),
                 Matrix{{3, 3, 1, 2, 1}, {3, 3, 1, 2, 1}});
}

TEST_CASE("04.3 self_attention: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, 41);
        const Matrix K = standard_normal(n_keys, d_k, 42);
        const Matrix V = standard_normal(n_keys, d_v, 43);
        expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V));
    }
}

TEST_CASE("04.3 self_attention: agrees with PyTorch") {
    expect_close(graded::self_attention(saved("Q"), saved("K"), saved("V")), saved("none_output"));
}

TEST_CASE("04.3 self_attention: shapes that do not fit are refused, and both are named") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    const Matrix V = standard_normal(5, 6, 3);
    expect_invalid_argument(graded::self_attention.attempt(Q, K, V), {sizes(Q), sizes(K)});
    const Matrix narrow = standard_normal(5, 3, 4);
    const Matrix few = standard_normal(4, 6, 5);
    expect_invalid_argument(graded::self_attention.attempt(Q, narrow, few),
                            {sizes(narrow), sizes(few)});
}

TEST_CASE("04.3 self_attention: one query's scores lie at 5000, another's at -5000") {
    const Matrix V{{1, 0, 2}, {3, 1, 0}};
    expect_close(
        graded::self_attention(standard_normal(3, 4, 28), standard_normal(2, 4, 29), V),
        oracle::matmul(right_weights(standard_normal(3, 4, 28), standard_normal(2, 4, 29)), V));
    expect_close(graded::self_attention(far_apart_Q, far_apart_K, V),
                 oracle::matmul(oracle::softmax_rows(Matrix{{5000, 4998}, {-5000, -4998}}), V));
}

TEST_CASE("04.3 self_attention: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::self_attention.attempt(Q, K, standard_normal(3, 4, 1)),
                            {sizes(Q), sizes(K)});
}

// ---- 04.4, marked in marking.hpp

const bool registered = [] {
    judge::session().compare_with("by_hand", marking::alike);
    return true;
}();

TEST_CASE("04.4 by_hand: step 1, the raw scores") {
    marking::expect_step(graded::by_hand(), 0);
}

TEST_CASE("04.4 by_hand: step 2, the scaled scores, from your raw scores") {
    marking::expect_step(graded::by_hand(), 1);
}

TEST_CASE("04.4 by_hand: step 3, the weights, from your scaled scores") {
    marking::expect_step(graded::by_hand(), 2);
}

TEST_CASE("04.4 by_hand: step 4, the output, from your weights") {
    marking::expect_step(graded::by_hand(), 3);
}

TEST_CASE("04.4 by_hand: step 5, the query that attends most uniformly") {
    marking::expect_most_uniform(graded::by_hand());
}

TEST_CASE("04.4 by_hand: step 5, the queries that are most focused") {
    marking::expect_most_focused(graded::by_hand());
}
