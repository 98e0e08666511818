// 08.1 to 08.5: what does not fit is refused, whichever argument it is, and also where it would fit
// if it were transposed, or stretched.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/misfits.hpp"

namespace grader_refusals {

using drawn::standard_normal;
using judge::sizes;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;
using support::expect_misfit;
using support::turned;

TEST_CASE("08.1 softmax_backward: what could be stretched or transposed is refused") {
    const std::array<std::size_t, 2> shapes[] = {{3, 5}, {5, 3}, {1, 5}, {3, 1},
                                                 {1, 1}, {3, 4}, {4, 5}};
    for (std::size_t k = 1; k < std::size(shapes); ++k) {
        const Matrix X = standard_normal(3, 5, 501);
        const Matrix Y = standard_normal(shapes[k][0], shapes[k][1], 502);
        expect_misfit(graded::softmax_backward.attempt(X, Y), sizes(Y), {sizes(X)});
        expect_misfit(graded::softmax_backward.attempt(Y, X), sizes(Y), {sizes(X)});
    }
}

TEST_CASE("08.2 matmul_backward: a factor or a d_C that is transposed is refused") {
    const Matrix A = standard_normal(2, 3, 511), B = standard_normal(3, 4, 512),
                 d_C = standard_normal(2, 4, 513);
    const auto& ask = graded::matmul_backward;
    expect_misfit(ask.attempt(turned(A), B, d_C), {3, 2}, {{3, 4}, {2, 4}});
    expect_misfit(ask.attempt(A, turned(B), d_C), {4, 3}, {{2, 3}, {2, 4}});
    expect_misfit(ask.attempt(A, B, turned(d_C)), {4, 2}, {{2, 3}, {3, 4}, {2, 4}});
    expect_misfit(ask.attempt(turned(A), turned(B), turned(d_C)), {3, 2}, {{4, 3}, {4, 2}});
}

TEST_CASE("08.2 matmul_backward: a d_C of one row, of one column or of one element is refused") {
    const Matrix A = standard_normal(2, 3, 514), B = standard_normal(3, 4, 515);
    const std::array<std::size_t, 2> shapes[] = {{1, 4}, {2, 1}, {1, 1}, {3, 4}};
    for (const auto& [rows, columns] : shapes) {
        expect_misfit(graded::matmul_backward.attempt(A, B, standard_normal(rows, columns, 516)),
                      {rows, columns}, {{2, 3}, {3, 4}, {2, 4}});
    }
}

TEST_CASE("08.2 matmul_transposed_backward: a factor or a d_C that is transposed is refused") {
    const Matrix A = standard_normal(2, 3, 521), B = standard_normal(4, 3, 522),
                 d_C = standard_normal(2, 4, 523);
    const auto& ask = graded::matmul_transposed_backward;
    expect_misfit(ask.attempt(turned(A), B, d_C), {3, 2}, {{4, 3}, {2, 4}});
    expect_misfit(ask.attempt(A, turned(B), d_C), {3, 4}, {{2, 3}, {2, 4}});
    expect_misfit(ask.attempt(A, B, turned(d_C)), {4, 2}, {{2, 3}, {4, 3}, {2, 4}});
    expect_misfit(ask.attempt(turned(A), turned(B), turned(d_C)), {3, 2}, {{3, 4}, {4, 2}});
}

TEST_CASE("08.2 matmul_transposed_backward: a d_C of one row, of one column or of one element is "
          "refused") {
    const Matrix A = standard_normal(2, 3, 524), B = standard_normal(4, 3, 525);
    const std::array<std::size_t, 2> shapes[] = {{1, 4}, {2, 1}, {1, 1}, {3, 4}};
    for (const auto& [rows, columns] : shapes) {
        expect_misfit(
            graded::matmul_transposed_backward.attempt(A, B, standard_normal(rows, columns, 526)),
            {rows, columns}, {{2, 3}, {4, 3}, {2, 4}});
    }
}

TEST_CASE(
    "08.3 attention_backward: each argument transposed, or of one row or column, is refused") {
    const Matrix Q = standard_normal(3, 2, 531), K = standard_normal(4, 2, 532),
                 V = standard_normal(4, 5, 533), d_output = standard_normal(3, 5, 534);
    const Mask mask = xt::ones<bool>({3, 4});
    const Matrix weights = plain::attention_weights(Q, K, mask);
    const auto& ask = graded::attention_backward;
    const std::vector<support::Shape> all{{3, 2}, {4, 2}, {4, 5}, {3, 4}, {3, 5}};
    // Of these there is one pair alone that does not fit: K, mask and weights share n_keys.
    expect_misfit(ask.attempt(turned(Q), K, V, mask, weights, d_output), {2, 3}, all);
    expect_misfit(ask.attempt(Q, turned(K), V, mask, weights, d_output), {2, 4}, all);
    expect_misfit(ask.attempt(Q, K, turned(V), mask, weights, d_output), {5, 4}, all);
    expect_misfit(ask.attempt(Q, K, V, mask, turned(weights), d_output), {4, 3}, all);
    expect_misfit(ask.attempt(Q, K, V, mask, weights, turned(d_output)), {5, 3}, all);
    const std::array<std::size_t, 2> masks[] = {{4, 3}, {1, 4}, {3, 1}, {1, 1}};
    for (const auto& [rows, columns] : masks) {
        expect_misfit(ask.attempt(Q, K, V, xt::ones<bool>({rows, columns}), weights, d_output),
                      {rows, columns}, all);
    }
    const std::array<std::size_t, 2> outputs[] = {{1, 5}, {3, 1}, {1, 1}};
    for (const auto& [rows, columns] : outputs) {
        const Matrix other = standard_normal(rows, columns, 535);
        expect_misfit(ask.attempt(Q, K, V, mask, weights, other), {rows, columns}, all);
    }
    for (const auto& [rows, columns] : masks) {
        const Matrix other = standard_normal(rows, columns, 536);
        expect_misfit(ask.attempt(Q, K, V, mask, other, d_output), {rows, columns}, all);
    }
}

TEST_CASE("08.4 gradient_check: one component for several is refused, and an h just below 0") {
    const Vector three{1, 2, 3}, one{2}, four{1, 2, 3, 4};
    const auto& ask = graded::gradient_check;
    for (const Vector& other : {one, four}) {
        judge::expect_invalid_argument(ask.attempt("squares", three, other, 0.5),
                                       {sizes(three), sizes(other)});
        judge::expect_invalid_argument(ask.attempt("squares", other, three, 0.5),
                                       {sizes(three), sizes(other)});
    }
    for (const double h : {-1e-12, -1e-300, -1e100}) {
        judge::expect_refused(ask.attempt("squares", three, three, h), "an h below 0");
    }
}

TEST_CASE("08.5 learn_lookup: whatever does not fit is refused, in any table, at no step too") {
    const lesson::Table table{standard_normal(3, 4, 541), standard_normal(5, 4, 542),
                              standard_normal(3, 2, 543)};
    const lesson::Projections start{standard_normal(4, 6, 544), standard_normal(4, 6, 545),
                                    standard_normal(4, 2, 546)};
    const auto refused = [&](const lesson::Table& bad, const lesson::Projections& from,
                             const Matrix& misfit, const std::vector<support::Shape>& others) {
        expect_misfit(graded::learn_lookup.attempt({bad}, from, 1, 0.1), sizes(misfit), others);
        expect_misfit(graded::learn_lookup.attempt({table, bad}, from, 0, 0.1), sizes(misfit),
                      others);
    };
    const auto of_tables = [&](Matrix lesson::Table::*part, const Matrix& misfit,
                               const std::vector<support::Shape>& others) {
        lesson::Table bad = table;
        bad.*part = misfit;
        refused(bad, start, misfit, others);
    };
    const auto of_start = [&](Matrix lesson::Projections::*part, const Matrix& misfit,
                              const std::vector<support::Shape>& others) {
        lesson::Projections bad = start;
        bad.*part = misfit;
        refused(table, bad, misfit, others);
    };
    // Others: what the misfit shares an axis with, and the product that it takes part in.
    const support::Shape asked{3, 4}, entries{5, 4}, wanted{3, 2}, W{4, 6}, W_v{4, 2}, Q{3, 6},
        K{5, 6};
    of_tables(&lesson::Table::asked, turned(table.asked), {W, wanted, entries, W_v});
    of_tables(&lesson::Table::asked, standard_normal(2, 4, 551), {wanted});
    of_tables(&lesson::Table::asked, standard_normal(1, 4, 552), {wanted});
    of_tables(&lesson::Table::entries, turned(table.entries), {W, W_v, asked});
    of_tables(&lesson::Table::entries, standard_normal(5, 3, 553), {W, W_v, asked});
    of_tables(&lesson::Table::wanted, turned(table.wanted), {asked, W_v, wanted});
    of_tables(&lesson::Table::wanted, standard_normal(1, 2, 554), {asked, wanted});
    of_tables(&lesson::Table::wanted, standard_normal(3, 1, 555), {W_v, wanted});
    of_tables(&lesson::Table::wanted, standard_normal(5, 2, 556), {asked, wanted});
    of_start(&lesson::Projections::W_q, turned(start.W_q), {asked, W, Q, K, W_v});
    of_start(&lesson::Projections::W_q, standard_normal(4, 5, 557), {W, {3, 5}, K});
    of_start(&lesson::Projections::W_k, turned(start.W_k), {entries, W, K, Q, W_v});
    of_start(&lesson::Projections::W_k, standard_normal(4, 5, 558), {W, Q, {5, 5}});
    of_start(&lesson::Projections::W_k, standard_normal(3, 6, 559), {entries, W, W_v});
    of_start(&lesson::Projections::W_v, turned(start.W_v), {entries, W, wanted});
    of_start(&lesson::Projections::W_v, standard_normal(3, 2, 560), {entries, W});
    judge::expect_refused(graded::learn_lookup.attempt({}, start, 0, 0.1), "no table");
}

} // namespace grader_refusals
