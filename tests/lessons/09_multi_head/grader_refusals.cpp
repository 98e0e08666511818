// 09.1 to 09.4: what does not fit is refused, whichever argument it is, and also where it would fit
// if it were transposed, or stretched.

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "sequences.hpp"
#include "support/misfits.hpp"

namespace grader_refusals {

using namespace sequences;
using support::expect_misfit;
using support::Shape;
using support::turned;

namespace {

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

} // namespace

TEST_CASE("09.1 split_heads: heads that divide the rows and not the columns are refused, and more "
          "heads than columns") {
    expect_numbers_named(graded::split_heads.attempt(counted(6, 4), 3), 3, 4);
    expect_numbers_named(graded::split_heads.attempt(counted(8, 1), 2), 2, 1);
    expect_numbers_named(graded::split_heads.attempt(counted(2, 6), 12), 12, 6);
    expect_numbers_named(graded::split_heads.attempt(counted(2, 6), huge), huge, 6);
    expect_numbers_named(graded::split_heads.attempt(counted(2, 6), huge / 2 + 1), huge / 2 + 1, 6);
}

TEST_CASE("09.2 multi_head_attention: a mask that could be stretched is refused, and one that is "
          "too large") {
    const Matrix X = standard_normal(3, 4, 501), W = standard_normal(4, 6, 502),
                 W_o = standard_normal(6, 5, 503);
    const std::array<std::size_t, 2> masks[] = {{1, 1}, {1, 3}, {3, 1}, {3, 2}, {2, 3},
                                                {2, 2}, {3, 4}, {4, 3}, {6, 6}};
    for (const auto& [rows, columns] : masks) {
        // X, or the scores that the mask is for.
        expect_misfit(graded::multi_head_attention.attempt(X, W, W, W, W_o, 2,
                                                           Mask(xt::ones<bool>({rows, columns}))),
                      {rows, columns}, {{3, 4}, {3, 3}});
    }
}

TEST_CASE("09.2 multi_head_attention: each argument transposed is refused, and heads that divide "
          "other sizes") {
    const Matrix X = standard_normal(3, 4, 511), W_q = standard_normal(4, 10, 512),
                 W_k = standard_normal(4, 10, 513), W_v = standard_normal(4, 6, 514),
                 W_o = standard_normal(6, 7, 515);
    const auto ask = [&](const Matrix& x, const Matrix& q, const Matrix& k, const Matrix& v,
                         const Matrix& o, std::size_t n_heads = 2) {
        return graded::multi_head_attention.attempt(x, q, k, v, o, n_heads, {});
    };
    const Shape Q{3, 10}, V{3, 6};
    expect_misfit(ask(turned(X), W_q, W_k, W_v, W_o), {4, 3}, {sizes(W_q), sizes(W_v)});
    expect_misfit(ask(X, turned(W_q), W_k, W_v, W_o), {10, 4}, {sizes(X), sizes(W_k)});
    expect_misfit(ask(X, W_q, turned(W_k), W_v, W_o), {10, 4}, {sizes(X), sizes(W_q)});
    expect_misfit(ask(X, turned(W_q), turned(W_k), W_v, W_o), {10, 4}, {sizes(X), sizes(W_v)});
    expect_misfit(ask(X, W_q, W_k, turned(W_v), W_o), {6, 4}, {sizes(X), sizes(W_o)});
    expect_misfit(ask(X, W_q, W_k, W_v, turned(W_o)), {7, 6}, {sizes(W_v), V});
    expect_misfit(ask(X, W_q, standard_normal(4, 20, 516), W_v, W_o), {4, 20}, {sizes(W_q), Q});
    expect_misfit(ask(X, W_q, W_k, W_v, standard_normal(3, 7, 517)), {3, 7}, {sizes(W_v), V});
    expect_misfit(ask(X, W_q, W_k, W_v, standard_normal(12, 7, 518)), {12, 7}, {sizes(W_v), V});
    expect_numbers_named(ask(X, W_q, W_k, W_v, W_o, 5), 5, 6);
    expect_numbers_named(ask(X, W_q, W_k, W_v, W_o, 3), 3, 10);
    expect_numbers_named(ask(X, W_q, W_k, W_k, standard_normal(10, 7, 519), 4), 4, 10);
    expect_numbers_named(ask(X, W_v, W_v, W_v, W_o, huge), huge, 6);
}

TEST_CASE("09.3 sinusoidal_positions: one component is refused, and the largest odd number") {
    expect_numbers_named(graded::sinusoidal_positions.attempt(3, 1), 1, 1);
    expect_numbers_named(graded::sinusoidal_positions.attempt(4, 5), 5, 5);
    expect_numbers_named(graded::sinusoidal_positions.attempt(1, huge), huge, huge);
}

TEST_CASE("09.3 rotate: one position for all rows is refused, one a component, and one too many") {
    const Matrix X = standard_normal(3, 4, 521);
    const Vector of[] = {{7}, {1, 2, 3, 4}, {1, 2}, {1, 2, 3, 4, 5, 6}};
    for (const Vector& positions : of) {
        expect_invalid_argument(graded::rotate.attempt(X, positions), {{3, 4}, {positions.size()}});
    }
    const Matrix odd = standard_normal(4, 3, 522); // whose rows are even
    expect_numbers_named(graded::rotate.attempt(odd, {1, 2, 3, 4}), 3, 3);
    expect_numbers_named(graded::rotate.attempt(standard_normal(2, 1, 523), {1, 2}), 1, 1);
}

TEST_CASE("09.3 rotary_attention: queries and keys of different numbers are refused, each argument "
          "transposed, and one position for all") {
    const Matrix Q = standard_normal(3, 4, 531), K = standard_normal(3, 4, 532),
                 V = standard_normal(3, 2, 533);
    const auto& ask = graded::rotary_attention;
    const Matrix keys = standard_normal(5, 4, 534), values = standard_normal(5, 2, 535);
    // Which two of the arrays are named is the learner's choice; positions may be one of them.
    judge::expect_refused(ask.attempt(Q, keys, values, counting(3)), "3 queries and 5 keys");
    judge::expect_refused(ask.attempt(Q, keys, values, counting(5)), "3 queries and 5 keys");
    judge::expect_refused(ask.attempt(keys, K, V, counting(5)), "5 queries and 3 keys");
    expect_invalid_argument(ask.attempt(keys, K, V, counting(3)), {{5, 4}});
    expect_misfit(ask.attempt(Q, K, turned(V), counting(3)), {2, 3}, {{3, 4}, {3, 3}});
    const Matrix wide_Q = standard_normal(6, 4, 536), wide_K = standard_normal(4, 6, 537);
    expect_misfit(ask.attempt(wide_Q, wide_K, standard_normal(6, 2, 538), counting(6)), {4, 6},
                  {{6, 4}, {6, 2}, {6, 6}});
    for (const Vector& positions : {Vector{7}, Vector{1, 2}, Vector{1, 2, 3, 4}}) {
        const judge::Outcome outcome = ask.attempt(Q, K, V, positions);
        expect_invalid_argument(outcome, {{positions.size()}});
    }
    const Matrix odd = standard_normal(4, 3, 539);
    expect_numbers_named(ask.attempt(odd, odd, odd, counting(4)), 3, 3);
}

TEST_CASE("09.4 grouped_query_attention: fewer heads of queries than of keys are refused, and "
          "values for other keys") {
    const Matrix Q = standard_normal(2, 12, 541), K = standard_normal(5, 6, 542),
                 V = standard_normal(5, 8, 543);
    const auto& ask = graded::grouped_query_attention;
    expect_numbers_named(ask.attempt(standard_normal(2, 3, 544), K, V, 2), 2, 1);
    expect_numbers_named(ask.attempt(standard_normal(2, 15, 545), K, V, 2), 2, 5);
    expect_numbers_named(ask.attempt(standard_normal(2, 2, 546), K, V, 2), 3, 2);
    expect_numbers_named(ask.attempt(Q, K, V, 5), 5, {6, 8, 12}); // as many as there are keys
    expect_numbers_named(ask.attempt(Q, K, standard_normal(5, 9, 547), 2), 2, 9);
    expect_numbers_named(ask.attempt(Q, K, standard_normal(5, 1, 548), 2), 2, 1);
    expect_numbers_named(ask.attempt(Q, K, V, huge), huge, {6, 8, 12});
    for (const std::size_t n_values : {1U, 2U, 4U, 8U}) {
        const Matrix other = standard_normal(n_values, 8, 549);
        expect_invalid_argument(ask.attempt(Q, K, other, 2), {sizes(K), sizes(other)});
    }
    expect_misfit(ask.attempt(Q, K, standard_normal(8, 5, 550), 1), {8, 5}, {{5, 6}});
}

} // namespace grader_refusals
