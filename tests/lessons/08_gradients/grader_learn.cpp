// 08.5: gradient descent on three matrices.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/misfits.hpp"
#include "tables.hpp"

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Learned;
using lesson::Matrix;
using lesson::Projections;
using lesson::Table;
using lesson::Vector;

namespace {

/// Steps amplify rounding, so ten digits and not twelve.
constexpr judge::Tolerance ten_digits{0, 0, 1e-10};

/// Numbers without a meaning, sizes as one likes.
Table some_table(std::size_t n_queries, std::size_t n_keys, std::size_t d_model, std::size_t d_v,
                 std::uint64_t seed) {
    return {standard_normal(n_queries, d_model, seed), standard_normal(n_keys, d_model, seed + 1),
            standard_normal(n_queries, d_v, seed + 2)};
}

Projections some_start(std::size_t d_model, std::size_t d_k, std::size_t d_v, std::uint64_t seed) {
    return {0.5 * standard_normal(d_model, d_k, seed),
            0.5 * standard_normal(d_model, d_k, seed + 1),
            0.5 * standard_normal(d_model, d_v, seed + 2)};
}

void expect_learned(const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                    double rate) {
    expect_close(graded::learn_lookup(tables, start, steps, rate),
                 plain::learn_lookup(tables, start, steps, rate), ten_digits);
}

/// What came of the first test: two steps of one number, in which only W_v has a gradient.
bool by_hand(const Learned& expected) {
    return expected.W_v.size() == 1 && expected.losses.size() == 2;
}

/// What a step does, and the next one too little of: known where one number alone moves.
bool rate_falls(const std::vector<judge::Session::Answer>& answers) {
    bool falls = false;
    for (const auto& [actual, expected] : answers) {
        const Learned right = judge::from_value<Learned>(expected);
        if (right.losses.size() < 2 && judge::compare(actual, expected)) {
            return false;
        }
        if (by_hand(right)) {
            const Learned mine = judge::from_value<Learned>(actual);
            const double first = 2.3, second = mine.W_v(0, 0);
            falls = mine.W_q == right.W_q && mine.W_k == right.W_k &&
                    xt::allclose(mine.losses, right.losses, 1e-9, 1e-9) && second > first + 1e-9 &&
                    second < right.W_v(0, 0) - 1e-9;
        }
    }
    return falls;
}

/// Where W_q and W_k have no gradient they shrink, and both alike.
bool weights_decay(const std::vector<judge::Session::Answer>& answers) {
    return std::any_of(answers.begin(), answers.end(), [](const auto& answer) {
        const Learned mine = judge::from_value<Learned>(answer.actual);
        return by_hand(judge::from_value<Learned>(answer.expected)) && mine.W_q == mine.W_k &&
               mine.W_q(0, 0) > 0 && mine.W_q(0, 0) < 1 - 1e-9;
    });
}

const bool registered = [] {
    judge::session().recognise("learn_lookup", "rate_falls", rate_falls);
    judge::session().recognise("learn_lookup", "weights_decay", weights_decay);
    return true;
}();

double mean_of_last(const Vector& losses, std::size_t n) {
    return xt::mean(xt::view(losses, xt::range(losses.size() - n, losses.size())))();
}

} // namespace

TEST_CASE("08.5 learn_lookup: one number asked, one entry: W_v alone can learn, by hand") {
    // output = W_v = 2, wanted 5: loss 3² / 2, d_W_v = -3; then 2.3, and 2.7² / 2.
    expect_close(graded::learn_lookup({{{{1}}, {{1}}, {{5}}}}, {{{1}}, {{1}}, {{2}}}, 2, 0.1),
                 Learned{{{1}}, {{1}}, {{2.57}}, {4.5, 3.645}}, ten_digits);
}

TEST_CASE("08.5 learn_lookup: a single step moves each matrix against its gradient") {
    expect_learned({some_table(3, 3, 3, 3, 1)}, some_start(3, 3, 3, 4), 1, 0.5);
    expect_learned({some_table(3, 5, 4, 2, 11)}, some_start(4, 6, 2, 14), 1, 0.5);
    expect_learned({some_table(5, 3, 2, 4, 21)}, some_start(2, 1, 4, 24), 1, 0.25);
}

TEST_CASE("08.5 learn_lookup: two steps and three, at another rate") {
    expect_learned({some_table(3, 5, 4, 2, 31)}, some_start(4, 6, 2, 34), 2, 0.1);
    expect_learned({some_table(2, 4, 3, 5, 41)}, some_start(3, 2, 5, 44), 3, 1);
}

TEST_CASE("08.5 learn_lookup: no step, and a rate of 0, leave the weights where they start") {
    const Projections start = some_start(4, 6, 2, 54);
    expect_learned({some_table(3, 5, 4, 2, 51)}, start, 0, 0.5);
    expect_learned({some_table(3, 5, 4, 2, 51)}, start, 3, 0);
}

TEST_CASE("08.5 learn_lookup: tables take turns, and may differ in their numbers of rows") {
    const std::vector<Table> tables{some_table(3, 5, 4, 2, 61), some_table(1, 7, 4, 2, 64),
                                    some_table(6, 2, 4, 2, 67)};
    expect_learned(tables, some_start(4, 3, 2, 71), 2, 0.2);
    expect_learned(tables, some_start(4, 3, 2, 71), 8, 0.2);
}

TEST_CASE("08.5 learn_lookup: five tables, one after the other, and then the first again") {
    std::vector<Table> tables;
    for (std::uint64_t t = 0; t < 5; ++t) {
        tables.push_back(some_table(2, 3, 2, 3, 150 + 3 * t));
    }
    expect_learned(tables, some_start(2, 4, 3, 171), 4, 0.2);
    expect_learned(tables, some_start(2, 4, 3, 171), 7, 0.2);
}

TEST_CASE("08.5 learn_lookup: start is where descent starts, and zeros teach W_v alone") {
    const std::vector<Table> tables{some_table(3, 5, 4, 2, 81)};
    expect_learned(
        tables, {xt::zeros<double>({4, 3}), xt::zeros<double>({4, 3}), xt::zeros<double>({4, 2})},
        4, 0.3);
    expect_learned(tables,
                   {standard_normal(4, 3, 1), xt::zeros<double>({4, 3}), standard_normal(4, 2, 2)},
                   4, 0.3);
}

TEST_CASE("08.5 learn_lookup: scores that saturate at the start") {
    Projections start = some_start(4, 3, 2, 94);
    start.W_q *= 1000.0;
    expect_learned({some_table(3, 5, 4, 2, 91)}, start, 3, 0.01);
}

TEST_CASE("08.5 learn_lookup: a loss of 1e-15 is no reason to stop") {
    const double small = 1e-7;
    Table table = some_table(3, 5, 4, 2, 181);
    table.wanted *= small;
    Projections start = some_start(4, 3, 2, 184);
    start.W_v *= small;
    expect_learned({table}, start, 4, 0.3);
}

TEST_CASE("08.5 learn_lookup: more than 256 queries, keys and components") {
    expect_learned({some_table(267, 3, 2, 5, 101)}, some_start(2, 3, 5, 104), 2, 0.1);
    expect_learned({some_table(2, 261, 3, 5, 111)}, some_start(3, 2, 5, 114), 2, 0.1);
    expect_learned({some_table(2, 3, 5, 267, 121)}, some_start(5, 271, 267, 124), 2, 0.1);
}

TEST_CASE("08.5 learn_lookup: twenty steps of PyTorch's plain SGD end at the same weights") {
    using support::golden;
    expect_close(
        graded::learn_lookup(
            {{golden("gradients/asked"), golden("gradients/entries"), golden("gradients/wanted")}},
            {golden("gradients/W_q"), golden("gradients/W_k"), golden("gradients/W_v")}, 20, 0.05),
        Learned{golden("gradients/learned_W_q"), golden("gradients/learned_W_k"),
                golden("gradients/learned_W_v"), support::golden_vector("gradients/losses")},
        ten_digits);
}

TEST_CASE("08.5 learn_lookup: eight tables are learned, and a ninth is looked up right") {
    const std::size_t steps = 400;
    const Learned learned =
        graded::learn_lookup(tables::lookup_tables(8, 1), tables::small_start(4, 5), steps, 0.3);
    judge::session().amplifies_rounding();
    expect_shape(sizes(learned.losses), {steps});
    expect_that(mean_of_last(learned.losses, 8) <= 0.05, "after 400 steps the loss is below 0.05",
                "the mean of the last eight is " + number_text(mean_of_last(learned.losses, 8)));
    const Table fresh = tables::lookup_tables(1, 99).front();
    expect_shape(sizes(learned.W_q), {tables::d_model, 4});
    expect_shape(sizes(learned.W_k), {tables::d_model, 4});
    const Matrix weights = oracle::softmax_rows(oracle::scaled_scores(
        oracle::matmul(fresh.asked, learned.W_q), oracle::matmul(fresh.entries, learned.W_k)));
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        expect_that(weights(i, i) >= 0.5,
                    "on a table that was not learned from, every query looks "
                    "at the entry that it asks for",
                    "query " + std::to_string(i) + " gives it a weight of " +
                        number_text(weights(i, i)));
    }
}

TEST_CASE("08.5 learn_lookup: no table is refused, and so are shapes that do not fit") {
    const Table table = some_table(3, 5, 4, 2, 131);
    const Projections start = some_start(4, 6, 2, 134);
    judge::expect_refused(graded::learn_lookup.attempt({}, start, 1, 0.1), "no table");
    Table other = table;
    other.wanted = standard_normal(3, 7, 1);
    support::expect_misfit(graded::learn_lookup.attempt({table, other}, start, 1, 0.1), {3, 7},
                           {sizes(start.W_v), sizes(table.wanted)}); // or the output's shape
    other = table;
    other.asked = standard_normal(3, 5, 1);
    support::expect_misfit(graded::learn_lookup.attempt({other}, start, 1, 0.1), {3, 5},
                           {sizes(start.W_q), sizes(table.entries)});
}
