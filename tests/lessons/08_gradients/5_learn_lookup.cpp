// 08.5 learn_lookup

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "exports.hpp"
#include "judge/redraw.hpp"
#include "judge/text.hpp"
#include "support/golden.hpp"
#include "support/misfits.hpp"
#include "support/oracle_gradients.hpp"
#include "tables.hpp"

namespace of_learn_lookup {

using judge::expect_close;
using judge::expect_that;
using judge::number_text;
using lesson::Learned;
using lesson::Matrix;
using lesson::Projections;
using lesson::Table;
using lesson::Vector;
using support::golden;

/// Steps amplify rounding.
constexpr judge::Tolerance tolerance{0, 1e-13, 1e-10};
constexpr judge::Tolerance of_any_size{0, 0, 1e-10};

/// One step of descent; returns the loss before it.
double step(const Table& table, Projections& W, double rate) {
    const Matrix Q = oracle::matmul(table.asked, W.W_q), K = oracle::matmul(table.entries, W.W_k),
                 V = oracle::matmul(table.entries, W.W_v);
    const auto [output, weights] = oracle::attention(Q, K, V);
    const Matrix error = output - table.wanted;
    const double n_queries = static_cast<double>(Q.shape(0));
    const auto [d_Q, d_K, d_V] = oracle::attention_backward(
        Q, K, V, xt::ones<bool>({Q.shape(0), K.shape(0)}), weights, error / n_queries);
    W = {W.W_q - rate * oracle::matmul_backward(table.asked, W.W_q, d_Q).d_B,
         W.W_k - rate * oracle::matmul_backward(table.entries, W.W_k, d_K).d_B,
         W.W_v - rate * oracle::matmul_backward(table.entries, W.W_v, d_V).d_B};
    return xt::sum(xt::square(error))() / (2 * n_queries);
}

void expect_learned(const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                    double rate, judge::Tolerance to = tolerance) {
    Projections W = start;
    Vector losses = Vector::from_shape({steps});
    for (std::size_t t = 0; t < steps; ++t) {
        losses(t) = step(tables[t % tables.size()], W, rate);
    }
    expect_close(graded::learn_lookup(tables, start, steps, rate),
                 Learned{W.W_q, W.W_k, W.W_v, losses}, to);
}

Matrix drawn(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return attention::standard_normal(rows, columns, judge::redrawn(seed));
}

/// n_queries, n_keys, d_model, d_k, d_v.
using Sizes = std::array<std::size_t, 5>;

/// The three matrices of a table, then those of a start.
using Six = std::array<Matrix, 6>;
Six some_six(const Sizes& n, std::uint64_t seed) {
    return {drawn(n[0], n[2], seed),           drawn(n[1], n[2], seed + 1),
            drawn(n[0], n[4], seed + 2),       0.5 * drawn(n[2], n[3], seed + 3),
            0.5 * drawn(n[2], n[3], seed + 4), 0.5 * drawn(n[2], n[4], seed + 5)};
}
Table table_of(const Six& six) {
    return {six[0], six[1], six[2]};
}
Projections start_of(const Six& six) {
    return {six[3], six[4], six[5]};
}
void expect_learned(const Six& of, std::size_t steps, double rate) {
    expect_learned({table_of(of)}, start_of(of), steps, rate);
}

TEST_CASE("08.5 learn_lookup: one number asked, one entry: W_v alone can learn, by hand") {
    // output = W_v = 2, wanted 5: loss 3² / 2, d_W_v = -3; then 2.3, and 2.7² / 2.
    expect_close(graded::learn_lookup({{{{1}}, {{1}}, {{5}}}}, {{{1}}, {{1}}, {{2}}}, 2, 0.1),
                 Learned{{{1}}, {{1}}, {{2.57}}, {4.5, 3.645}}, of_any_size);
}

TEST_CASE("08.5 learn_lookup: a single step moves each matrix against its gradient") {
    expect_learned(some_six({2, 2, 2, 2, 2}, 1), 1, 0.5);
    expect_learned(some_six({3, 5, 4, 6, 2}, 11), 1, 0.5);
    expect_learned(some_six({5, 3, 2, 1, 4}, 21), 1, 0.25);
}

TEST_CASE("08.5 learn_lookup: two steps, three, none, and a rate of 0") {
    expect_learned(some_six({3, 5, 4, 6, 2}, 31), 2, 0.1);
    expect_learned(some_six({2, 4, 3, 2, 5}, 41), 3, 1);
    expect_learned(some_six({3, 5, 4, 6, 2}, 51), 0, 0.5);
    expect_learned(some_six({3, 5, 4, 6, 2}, 51), 3, 0);
}

TEST_CASE("08.5 learn_lookup: tables take turns, and may differ in their numbers of rows") {
    const auto expect_turns = [](const std::vector<std::array<std::size_t, 2>>& rows) {
        std::vector<Table> tables;
        for (const auto& [n_queries, n_keys] : rows) {
            tables.push_back(
                table_of(some_six({n_queries, n_keys, 4, 3, 2}, 61 + 3 * tables.size())));
        }
        const Projections start = start_of(some_six({1, 1, 4, 3, 2}, 81));
        for (const std::size_t steps : {std::size_t{2}, rows.size() + 1, 2 * rows.size() + 2}) {
            expect_learned(tables, start, steps, 0.2);
        }
    };
    expect_turns({{3, 5}, {1, 7}, {6, 2}});
    expect_turns({{2, 3}, {2, 3}, {2, 3}, {2, 3}, {2, 3}});
    expect_turns({{2, 6}, {3, 4}, {4, 3}}); // as many pairs
    expect_turns({{3, 4}, {3, 6}});
    expect_turns({{2, 5}, {3, 5}});
}

TEST_CASE("08.5 learn_lookup: sizes that are alike, and sizes of 1") {
    constexpr std::size_t sizes[] = {3, 5, 4, 2, 6};
    for (std::size_t a = 0; a < 5; ++a) {
        Sizes single{3, 5, 4, 2, 6};
        single[a] = 1;
        expect_learned(some_six(single, 91), 2, 0.2);
        for (std::size_t b = 0; b < a; ++b) {
            Sizes alike{3, 5, 4, 2, 6};
            alike[a] = sizes[b];
            expect_learned(some_six(alike, 92), 2, 0.2);
        }
    }
    expect_learned(some_six({1, 1, 1, 1, 1}, 93), 3, 0.2);
    expect_learned(some_six({3, 3, 3, 3, 3}, 94), 3, 0.2);
}

TEST_CASE("08.5 learn_lookup: zeros, equal numbers and an identity in each of the matrices") {
    for (const Sizes& n : {Sizes{3, 5, 4, 6, 2}, Sizes{4, 4, 4, 4, 4}}) {
        const Six in = some_six(n, 101);
        for (std::size_t k = 0; k < in.size(); ++k) {
            Six of = in;
            const auto with = [&](const Matrix& X) {
                of[k] = X;
                expect_learned(of, 2, 0.2);
            };
            with(0 * in[k]);
            with(0 * in[k] + 0.5);
            with(xt::eye<double>({in[k].shape(0), in[k].shape(1)}));
            with(xt::where(xt::abs(in[k]) < 0.6, 0.0, in[k]));
            Matrix row_of_zeros = in[k];
            xt::row(row_of_zeros, 1) *= 0;
            with(row_of_zeros);
            Matrix opposite = in[k]; // its rows sum to 0
            xt::col(opposite, 0) -= xt::sum(in[k], {1});
            with(opposite);
        }
    }
    const Matrix A = drawn(3, 3, 111); // one matrix in several places
    expect_learned({A, A, A, A, A, A}, 2, 0.1);
}

TEST_CASE("08.5 learn_lookup: a table that is solved takes its turns beside one that is not") {
    // One entry: the output is 2, which the first table wants, and the second wants 5.
    const Table solved{{{1}}, {{1}}, {{2}}}, other{{{1}}, {{1}}, {{5}}};
    expect_learned({solved}, {{{1}}, {{1}}, {{2}}}, 3, 0.1);
    expect_learned({solved, other}, {{{1}}, {{1}}, {{2}}}, 5, 0.1);
    expect_learned({other, solved, other}, {{{1}}, {{1}}, {{2}}}, 5, 0.1);
}

TEST_CASE("08.5 learn_lookup: scores that saturate, and contents that are tiny or huge") {
    Six in = some_six({3, 5, 4, 3, 2}, 121);
    for (const double scale : {1e-30, 1e-12, 1e-7, 1e12, 1e30}) {
        Table table{in[0], in[1], scale * in[2]};
        // The gradients of W_q and W_k grow with the square, so one of them alone moves.
        expect_learned({table}, {0 * in[3], in[4], scale * in[5]}, 1, 0.25, of_any_size);
        expect_learned({table}, {in[3], 0 * in[4], scale * in[5]}, 1, 0.25 / scale / scale,
                       of_any_size);
        table = {scale * in[0], in[1], in[2]};
        expect_learned({table}, {in[3] / scale, 0 * in[4], in[5]}, 1, 0.25, of_any_size);
    }
    in[3] *= 1000;
    expect_learned(in, 3, 0.01);
    // One entry: wanted is -1, -2, 3 and 0 away from the output of ±1e8.
    expect_learned({{{{1}, {2}}, {{1}}, {{1e8 + 1, 2 - 1e8}, {1e8 - 3, -1e8}}}},
                   {{{0.5}}, {{0.25}}, {{1e8, -1e8}}}, 1, 0.25, {0, 1e-9, 1e-10});
}

TEST_CASE("08.5 learn_lookup: 300 tables, and steps beyond two rounds of them") {
    std::vector<Table> tables;
    for (std::uint64_t t = 0; t < 300; ++t) {
        tables.push_back(table_of(some_six({1, 2, 1, 1, 1}, 1000 + 3 * t)));
    }
    expect_learned(tables, {{{0.5}}, {{-0.4}}, {{0.3}}}, 701, 0.01, {0, 0, 1e-9});
}

TEST_CASE("08.5 learn_lookup: twenty steps of PyTorch's plain SGD end at the same weights") {
    expect_close(
        graded::learn_lookup(
            {{golden("gradients/asked"), golden("gradients/entries"), golden("gradients/wanted")}},
            {golden("gradients/W_q"), golden("gradients/W_k"), golden("gradients/W_v")}, 20, 0.05),
        Learned{golden("gradients/learned_W_q"), golden("gradients/learned_W_k"),
                golden("gradients/learned_W_v"), support::golden_vector("gradients/losses")},
        of_any_size);
}

TEST_CASE("08.5 learn_lookup: eight tables are learned, and a ninth is looked up right") {
    const Learned learned =
        graded::learn_lookup(tables::lookup_tables(8, 1), tables::small_start(4, 5), 400, 0.3);
    judge::session().amplifies_rounding();
    judge::expect_shape(judge::sizes(learned.losses), {400});
    const double last = xt::mean(xt::view(learned.losses, xt::range(392, 400)))();
    expect_that(last <= 0.05, "after 400 steps the loss is below 0.05",
                "the mean of the last eight is " + number_text(last));
    const Table fresh = tables::lookup_tables(1, 99).front();
    judge::expect_shape(judge::sizes(learned.W_q), {tables::d_model, 4});
    judge::expect_shape(judge::sizes(learned.W_k), {tables::d_model, 4});
    const Matrix weights = oracle::attention_weights(oracle::matmul(fresh.asked, learned.W_q),
                                                     oracle::matmul(fresh.entries, learned.W_k));
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        expect_that(weights(i, i) >= 0.5,
                    "on a table that was not learned from, every query attends to the entry that "
                    "it looks for",
                    "query " + std::to_string(i) + " gives it a weight of " +
                        number_text(weights(i, i)));
    }
}

TEST_CASE("08.5 learn_lookup: no table is refused, and so are shapes that do not fit, in any table "
          "and at no step, too") {
    const Six in = some_six({3, 5, 4, 6, 2}, 161);
    judge::expect_refused(graded::learn_lookup.attempt({}, start_of(in), 1, 0.1), "no table");
    // What a misfit shares an axis with, and the products that it takes part in.
    const std::vector<support::Shape> all{{3, 4}, {5, 4}, {3, 2}, {4, 6}, {4, 2}, {3, 6},
                                          {5, 6}, {5, 2}, {3, 5}, {5, 5}, {3, 7}};
    const auto refused = [&](std::size_t k, std::size_t rows, std::size_t columns) {
        Six of = in;
        of[k] = drawn(rows, columns, 162);
        for (const auto& tables :
             std::vector<std::vector<Table>>{{table_of(of)}, {table_of(in), table_of(of)}}) {
            support::expect_misfit(
                graded::learn_lookup.attempt(tables, start_of(of), tables.size() % 2, 0.1),
                {rows, columns}, all);
        }
    };
    for (std::size_t k = 0; k < 6; ++k) {
        refused(k, in[k].shape(1), in[k].shape(0));
    }
    refused(0, 2, 4);
    refused(0, 1, 4);
    refused(1, 5, 3);
    refused(2, 1, 2);
    refused(2, 3, 1);
    refused(2, 3, 7);
    refused(3, 4, 5);
    refused(4, 3, 6);
    refused(5, 3, 2);
}

} // namespace of_learn_lookup
