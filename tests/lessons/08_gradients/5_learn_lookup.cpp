// 08.5 learn_lookup

#include <array>

#include "attention/random.hpp"
#include "exports.hpp"
#include "support/misfits.hpp"
#include "support/oracle_gradients.hpp"
#include "support/proof.hpp"

namespace of_learn_lookup {

using namespace proof;
using lesson::Learned;
using lesson::Projections;
using lesson::Table;

/// Steps amplify rounding.
constexpr Tolerance tolerance{0, 1e-13, 1e-10};
constexpr Tolerance of_any_size{0, 0, 1e-10};

/// One step of descent; returns the loss before it.
double step(const Table& table, Projections& W, double rate) {
    const Matrix Q = oracle::matmul(table.asked, W.W_q), K = oracle::matmul(table.entries, W.W_k),
                 V = oracle::matmul(table.entries, W.W_v);
    const auto [output, weights, logsumexp] = oracle::attention(Q, K, V);
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
                    double rate, Tolerance to = tolerance) {
    Projections W = start;
    Vector losses = Vector::from_shape({steps});
    for (std::size_t t = 0; t < steps; ++t) {
        losses(t) = step(tables[t % tables.size()], W, rate);
    }
    expect_close(graded::learn_lookup(tables, start, steps, rate),
                 Learned{W.W_q, W.W_k, W.W_v, losses}, to);
}

Matrix drawn(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return attention::standard_normal(rows, columns, redrawn(seed));
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

TEST_CASE("08.5 learn_lookup: one query number, one entry: W_v alone can learn, by hand") {
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
}

TEST_CASE("08.5 learn_lookup: equal sizes, and sizes of 1") {
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

TEST_CASE("08.5 learn_lookup: scores that saturate, and contents that are tiny or huge") {
    Six in = some_six({3, 5, 4, 3, 2}, 121);
    for (const double scale : {1e-30, 1e-7, 1e12}) {
        // The gradients of W_q and W_k grow with the square, so one of them alone moves.
        expect_learned({{in[0], in[1], scale * in[2]}}, {0 * in[3], in[4], scale * in[5]}, 1, 0.25,
                       of_any_size);
    }
    in[3] *= 1000;
    expect_learned(in, 3, 0.01);
}

TEST_CASE("08.5 learn_lookup: twenty steps of PyTorch's plain SGD end at the same weights") {
    expect_close(
        graded::learn_lookup(
            {{golden("gradients/asked"), golden("gradients/entries"), golden("gradients/wanted")}},
            {golden("gradients/W_q"), golden("gradients/W_k"), golden("gradients/W_v")}, 20, 0.05),
        Learned{golden("gradients/learned_W_q"), golden("gradients/learned_W_k"),
                golden("gradients/learned_W_v"), golden_vector("gradients/losses")},
        of_any_size);
}

TEST_CASE("08.5 learn_lookup: no table is refused, and so are shapes that do not fit, in any table "
          "and at no step, too") {
    const Six in = some_six({3, 5, 4, 6, 2}, 161);
    expect_refused(graded::learn_lookup.attempt({}, start_of(in), 1, 0.1), "no table");
    // The axes that a misfit shares, and the products that it takes part in.
    const std::vector<support::Shape> all{{3, 4}, {5, 4}, {3, 2}, {4, 6}, {4, 2}, {3, 6},
                                          {5, 6}, {5, 2}, {3, 5}, {5, 5}, {3, 7}};
    for (std::size_t k = 0; k < 6; ++k) {
        Six of = in;
        of[k] = xt::transpose(in[k]);
        for (const auto& tables :
             std::vector<std::vector<Table>>{{table_of(of)}, {table_of(in), table_of(of)}}) {
            support::expect_misfit(
                graded::learn_lookup.attempt(tables, start_of(of), tables.size() % 2, 0.1),
                {of[k].shape(0), of[k].shape(1)}, all);
        }
    }
}

} // namespace of_learn_lookup
