// 04.3 and 04.4; the rest of the lesson: grader.cpp and grader_cost.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "attention/projections.hpp"
#include "marking.hpp"
#include "parts.hpp"

namespace grader_attention {

using namespace parts;
using judge::normwise;

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
                 Matrix{{2, 3, 2, 2, 6}, {8.0 / 3, 7.0 / 3, 4, 2, 6}}, normwise);
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
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
}

TEST_CASE("04.3 self_attention: keys and values in another order change nothing") {
    const Matrix Q = standard_normal(3, 2, 34);
    const Matrix K = standard_normal(5, 2, 35);
    const Matrix V = standard_normal(5, 4, 36);
    const Matrix output = graded::self_attention(Q, K, V);
    expect_close(output, right_output(Q, K, V), normwise);
    const std::vector<std::size_t> order{4, 2, 0, 1, 3};
    expect_close(graded::self_attention(Q, rows(K, order), rows(V, order)), output, normwise);
}

TEST_CASE("04.3 self_attention: queries in another order put the output in that order") {
    const Matrix Q = standard_normal(4, 3, 37);
    const Matrix K = standard_normal(2, 3, 38);
    const Matrix V = standard_normal(2, 5, 39);
    const Matrix output = graded::self_attention(Q, K, V);
    expect_close(output, right_output(Q, K, V), normwise);
    const std::vector<std::size_t> order{3, 1, 0, 2};
    expect_close(graded::self_attention(rows(Q, order), K, V), rows(output, order), normwise);
}

TEST_CASE("04.3 self_attention: keys that are all alike give every query the mean of the values") {
    expect_close(graded::self_attention(standard_normal(2, 4, 40), xt::ones<double>({3, 4}),
                                        {{1, 9, 0, 2, 0}, {2, 0, 0, 2, 3}, {6, 0, 3, 2, 0}}),
                 Matrix{{3, 3, 1, 2, 1}, {3, 3, 1, 2, 1}}, normwise);
}

TEST_CASE("04.3 self_attention: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : awkward_sizes) {
        const Matrix Q = standard_normal(n_queries, d_k, 41);
        const Matrix K = standard_normal(n_keys, d_k, 42);
        const Matrix V = standard_normal(n_keys, d_v, 43);
        expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
    }
}

TEST_CASE(
    "04.3 self_attention: a component of 0 is one like any other, in queries, keys and values") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : sizes_with_zeros) {
        const Matrix Q = standard_normal(n_queries, d_k, 140 + d_v);
        const Matrix K = standard_normal(n_keys, d_k, 150 + d_v);
        const Matrix V = standard_normal(n_keys, d_v, 160 + d_k);
        const auto expect = [](const Matrix& queries, const Matrix& keys, const Matrix& mixed) {
            expect_close(graded::self_attention(queries, keys, mixed),
                         right_output(queries, keys, mixed), normwise);
        };
        expect(with_zeros(Q), with_zeros(K), with_zeros(V));
        expect(with_zeros(Q), K, V);
        expect(Q, with_zeros(K), V);
        expect(Q, K, with_zeros(V));
    }
    // Scores of 0 and of 1, 2, … beside them.
    expect_close(graded::self_attention(eye3, {{2, 0, 1}, {0, 3, 0}, {1, 0, 0}}, rising),
                 right_output(eye3, {{2, 0, 1}, {0, 3, 0}, {1, 0, 0}}, rising), normwise);
}

TEST_CASE("04.3 self_attention: rows that begin and end alike, and have one sum, are not the same "
          "row") {
    const Matrix X = look_alikes(4, 6, 44);
    const Matrix Y = look_alikes(4, 6, 45);
    for (const Matrix& Q : {X, upside_down(X)}) {
        for (const Matrix& K : {X, upside_down(X), Y}) {
            for (const Matrix& V : {Y, upside_down(Y)}) {
                expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
            }
        }
    }
}

TEST_CASE("04.3 self_attention: right to twelve digits, which float has not") {
    const Matrix Q = standard_normal(24, 5, 51);
    const Matrix K = standard_normal(9, 5, 52);
    const Matrix V = standard_normal(9, 7, 53);
    expect_close(graded::self_attention(Q, K, V), right_output(Q, K, V), normwise);
}

TEST_CASE("04.3 self_attention: one matrix as queries, keys and values, or as two of them") {
    const Matrix X = standard_normal(4, 3, 34);
    const Matrix Y = standard_normal(4, 3, 35);
    expect_close(graded::self_attention(X, X, X), right_output(X, X, X), normwise);
    expect_close(graded::self_attention(X, X, Y), right_output(X, X, Y), normwise);
    expect_close(graded::self_attention(X, Y, Y), right_output(X, Y, Y), normwise);
}

TEST_CASE("04.3 self_attention: agrees with PyTorch") {
    expect_close(graded::self_attention(saved("Q"), saved("K"), saved("V")), saved("none_output"),
                 normwise);
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

TEST_CASE("04.3 self_attention: wider queries than keys, and more values than keys, are refused, a "
          "single one, and sizes of five digits") {
    for (const auto& [n_queries, of_Q, of_K, n_keys] : do_not_fit) {
        const Matrix Q = xt::zeros<double>({n_queries, of_Q});
        const Matrix K = xt::zeros<double>({n_keys, of_K});
        const Matrix V = xt::zeros<double>({n_keys, std::size_t{1}});
        expect_invalid_argument(graded::self_attention.attempt(Q, K, V), {sizes(Q), sizes(K)});
    }
    for (const auto& [d_v, n_values, n_keys, d_k] : do_not_fit) {
        const Matrix Q = xt::zeros<double>({std::size_t{1}, d_k});
        const Matrix K = xt::zeros<double>({n_keys, d_k});
        const Matrix V = xt::zeros<double>({n_values, d_v});
        expect_invalid_argument(graded::self_attention.attempt(Q, K, V), {sizes(K), sizes(V)});
    }
}

namespace {

void expect_right_far_out(const Matrix& Q, const Matrix& K) {
    const Matrix ordinary_Q = standard_normal(2, 4, 28);
    const Matrix ordinary_K = standard_normal(3, 4, 29);
    expect_close(graded::self_attention(ordinary_Q, ordinary_K, values),
                 right_output(ordinary_Q, ordinary_K, values), normwise);
    expect_close(graded::self_attention(Q, K, values), right_output(Q, K, values), far_out);
}

} // namespace

TEST_CASE("04.3 self_attention: a large value counts, however small its weight is") {
    const Matrix Q = queries({1});
    Matrix V = Matrix::from_shape({fading.size(), std::size_t{1}});
    std::transform(fading.begin(), fading.end(), V.begin(), [](double s) { return std::exp(-s); });
    expect_close(graded::self_attention(Q, keys(fading), V), right_output(Q, keys(fading), V),
                 normwise);
}

TEST_CASE("04.3 self_attention: scores of thousands stay finite") {
    expect_right_far_out(queries({1}), keys(thousands));
    expect_right_far_out(queries({1, -1}), keys(thousands));
}

TEST_CASE("04.3 self_attention: values are mixed where all scores lie far below 0") {
    expect_right_far_out(queries({-1}), keys(thousands));
}

TEST_CASE("04.3 self_attention: all scores lie near -740, of which exp has a digit left") {
    expect_right_far_out(queries({-1}), keys({740, 739, 741}));
}

TEST_CASE("04.3 self_attention: one query's scores lie at -5000, the next one's at 5000") {
    expect_right_far_out(queries({-1, 1}), keys(thousands));
}

TEST_CASE("04.3 self_attention: the first key's score is 2000, far above the others") {
    expect_right_far_out(queries({1}), keys(largest_first));
}

TEST_CASE("04.3 self_attention: a score between others is 2000, far above them") {
    expect_right_far_out(queries({1}), keys(largest_in_the_middle));
}

TEST_CASE("04.3 self_attention: the last key's score is 2000, far above the others") {
    expect_right_far_out(queries({1}), keys(largest_last));
}

TEST_CASE("04.3 self_attention: two scores of a thousand, and one of 0") {
    expect_right_far_out(queries({1}), keys(two_of_three));
}

TEST_CASE("04.3 self_attention: vectors without components are refused") {
    const Matrix Q = xt::zeros<double>({2, 0});
    const Matrix K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::self_attention.attempt(Q, K, standard_normal(3, 4, 1)),
                            {sizes(Q), sizes(K)});
}

// ---- 04.4, marked in marks.hpp, and answered in marking.hpp

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

} // namespace grader_attention
