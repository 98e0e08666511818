#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/magnitudes.hpp"
#include "support/oracle.hpp"
#include "support/refusal.hpp"

using drawn::look_alikes;
using drawn::standard_normal;
using drawn::upside_down;
using drawn::with_zeros;
using judge::sizes;
using lesson::Matrix;
using lesson::QKV;
using support::expect_refusal;

namespace {

const Matrix X{{1, 2}, {3, 4}};
const Matrix W{{5, 6}, {7, 8}};

/// Sums of at most some hundred products of numbers around 1, in double: rounding moves them by
/// 10⁻¹⁴, float by 10⁻⁷.
constexpr judge::Tolerance in_double{1e-12, 1e-12};

void expect_same(const QKV& actual, const QKV& expected) {
    judge::expect_close(actual, expected, in_double);
}

void expect_close(const Matrix& actual, const Matrix& expected) {
    judge::expect_close(actual, expected, in_double);
}

} // namespace

// ---- 01.1

TEST_CASE("01.1 project: one position, two components to three") {
    const Matrix token{{1, 2}};
    const Matrix weight{{1, 0, 2}, {0, 1, 3}};
    expect_close(graded::project(token, weight), Matrix{{1, 2, 8}});
}

TEST_CASE("01.1 project: two positions with a square weight, small enough to do by hand") {
    expect_close(graded::project(X, W), Matrix{{19, 22}, {43, 50}});
}

TEST_CASE("01.1 project: every position gets the same map, whatever stands beside it") {
    const Matrix sequence = standard_normal(3, 5, 11);
    const Matrix weight = standard_normal(5, 2, 12);
    const Matrix last = xt::view(sequence, xt::range(2, 3), xt::all());
    const Matrix together = graded::project(sequence, weight);
    const Matrix alone = graded::project(last, weight);
    expect_close(alone, xt::view(together, xt::range(2, 3), xt::all()));
}

TEST_CASE("01.1 project: awkward sizes agree with plain loops in long double") {
    for (const auto& [n, d_model, d_out] : {std::array<std::size_t, 3>{1, 1, 1},
                                            {1, 7, 3},
                                            {5, 1, 2},
                                            {2, 3, 1},
                                            {13, 11, 17},
                                            {1, 1, 5},
                                            {1, 6, 1},
                                            {4, 1, 1},
                                            // two sizes alike
                                            {3, 3, 2},
                                            {3, 2, 3},
                                            {2, 3, 3}}) {
        const Matrix sequence = standard_normal(n, d_model, n);
        const Matrix weight = standard_normal(d_model, d_out, 100 + d_out);
        expect_close(graded::project(sequence, weight), oracle::project(sequence, weight));
    }
    // A 0 is a number like any other. The largest first: it tells the ways to stumble over one
    // apart.
    for (const auto& [n, d_model, d_out] :
         {std::array<std::size_t, 3>{5, 7, 4}, {1, 5, 3}, {4, 1, 2}, {4, 4, 1}}) {
        const Matrix sequence = standard_normal(n, d_model, n);
        const Matrix weight = standard_normal(d_model, d_out, 100 + d_out);
        for (const auto& [rows, map] : {std::pair{with_zeros(sequence), weight},
                                        {sequence, with_zeros(weight)},
                                        {with_zeros(sequence), with_zeros(weight)}}) {
            expect_close(graded::project(rows, map), oracle::project(rows, map));
        }
    }
    // Neither is a tiny or a huge number anything else. All are asked before the first is judged:
    // together they tell which of them is taken for something else.
    drawn::suspect_a_fixed_bound();
    std::vector<drawn::Pair> far_from_1 =
        drawn::at_all_magnitudes(standard_normal(3, 5, 31), standard_normal(5, 2, 32));
    for (const auto& [row, other] : drawn::with_one_far_from_1(33)) {
        far_from_1.push_back({row, xt::transpose(other)});
    }
    for (const auto& [rows, map] : far_from_1) {
        static_cast<void>(graded::project.attempt(rows, map));
    }
    for (const auto& [rows, map] : far_from_1) {
        judge::expect_close(graded::project(rows, map), oracle::project(rows, map),
                            judge::normwise);
    }
}

TEST_CASE("01.1 project: more than 256 positions, components in, and components out") {
    for (const auto& [n, d_model, d_out] :
         {std::array<std::size_t, 3>{3, 270, 2}, {271, 2, 3}, {2, 3, 300}, {67, 70, 65}}) {
        const Matrix sequence = standard_normal(n, d_model, n);
        const Matrix weight = standard_normal(d_model, d_out, d_out);
        expect_close(graded::project(sequence, weight), oracle::project(sequence, weight));
    }
}

TEST_CASE("01.1 project: a square matrix by itself") {
    const Matrix square = standard_normal(4, 4, 13);
    expect_close(graded::project(square, square), oracle::project(square, square));
}

TEST_CASE("01.1 project: 401 positions, and more than 2048 components in and out") {
    // Not more positions: a thread for each is right, too.
    for (const auto& [n, d_model, d_out] :
         {std::array<std::size_t, 3>{401, 2, 1}, {1, 2063, 2}, {2, 1, 2069}}) {
        const Matrix sequence = standard_normal(n, d_model, n);
        const Matrix weight = standard_normal(d_model, d_out, d_out) / 64;
        expect_close(graded::project(sequence, weight), oracle::project(sequence, weight));
    }
}

TEST_CASE("01.1 project: rows that begin and end alike, and have one sum, are not the same row") {
    const Matrix sequence = look_alikes(4, 6, 13);
    const Matrix weight = look_alikes(6, 8, 14);
    for (const Matrix& rows : {sequence, upside_down(sequence)}) {
        for (const Matrix& map : {weight, upside_down(weight)}) {
            expect_close(graded::project(rows, map), oracle::project(rows, map));
        }
    }
}

TEST_CASE("01.1 project: agrees with PyTorch") {
    expect_close(
        graded::project(support::golden("projections/X"), support::golden("projections/W_v")),
        support::golden("projections/V"));
}

TEST_CASE("01.1 project: shapes that do not fit are refused, and both are named") {
    const Matrix three = standard_normal(2, 3, 1);
    const Matrix four = standard_normal(4, 5, 2);
    expect_refusal(graded::project.attempt(three, four), {sizes(three), sizes(four)});
}

TEST_CASE("01.1 project: more columns in X than rows in W, a single one, and five digits") {
    for (const auto& [n, columns, rows, d_out] : {std::array<std::size_t, 4>{2, 5, 4, 3},
                                                  // that would fit with W, X or both transposed,
                                                  {2, 3, 4, 3},
                                                  {3, 2, 3, 4},
                                                  {2, 3, 4, 2},
                                                  {3, 4, 3, 4},
                                                  {3, 2, 3, 2},
                                                  // or in another shape
                                                  {2, 6, 3, 4},
                                                  {2, 3, 6, 2},
                                                  {2, 5, 1, 3},
                                                  {2, 1, 5, 3},
                                                  {12345, 3, 10007, 2},
                                                  {2, 12345, 3, 10007}}) {
        const Matrix sequence = xt::zeros<double>({n, columns});
        const Matrix weight = xt::zeros<double>({rows, d_out});
        expect_refusal(graded::project.attempt(sequence, weight), {sizes(sequence), sizes(weight)});
    }
}

// ---- 01.2

TEST_CASE("01.2 compute_qkv: three different weights give three different views") {
    const Matrix W_q{{1, 0}, {0, 1}};
    const Matrix W_k{{0, 1}, {1, 0}};
    const Matrix W_v{{1, 2}, {3, 4}};
    expect_same(graded::compute_qkv(X, W_q, W_k, W_v),
                {{{1, 2}, {3, 4}}, {{2, 1}, {4, 3}}, {{7, 10}, {15, 22}}});
}

TEST_CASE("01.2 compute_qkv: first worked example") {
    const Matrix eye{{1, 0}, {0, 1}};
    expect_same(graded::compute_qkv(eye, eye, eye, {{1, 2}, {3, 4}}), {eye, eye, {{1, 2}, {3, 4}}});
}

TEST_CASE("01.2 compute_qkv: second worked example") {
    const Matrix eye{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    expect_same(graded::compute_qkv(eye, eye, eye, eye), {eye, eye, eye});
}

TEST_CASE("01.2 compute_qkv: third worked example") {
    const Matrix sequence{{1, 2, 3}, {4, 5, 6}};
    const Matrix weight{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    expect_same(graded::compute_qkv(sequence, weight, weight, {{1, 0}, {0, 1}, {1, 1}}),
                {{{2.2, 2.8}, {4.9, 6.4}}, {{2.2, 2.8}, {4.9, 6.4}}, {{4, 5}, {10, 11}}});
}

TEST_CASE("01.2 compute_qkv: values may have another width than queries and keys") {
    for (const auto& [n, d_model, d_k, d_v] : {std::array<std::size_t, 4>{1, 1, 1, 1},
                                               {1, 2, 3, 5},
                                               {7, 3, 5, 2},
                                               {2, 11, 1, 13},
                                               {271, 5, 3, 2},
                                               {2, 262, 3, 4},
                                               {2, 3, 270, 70},
                                               {3, 2, 70, 270},
                                               {401, 1, 2, 1},
                                               {1, 2063, 2, 1},
                                               {2, 1, 2069, 2},
                                               {2, 1, 2, 2081},
                                               {1, 1, 3, 2},
                                               {1, 5, 1, 1},
                                               {1, 4, 3, 1},
                                               {4, 1, 1, 3},
                                               {3, 4, 1, 1},
                                               // two sizes alike
                                               {3, 3, 2, 4},
                                               {3, 2, 3, 4},
                                               {3, 2, 4, 3},
                                               {4, 3, 3, 2},
                                               {4, 3, 2, 3},
                                               {4, 2, 3, 3}}) {
        const Matrix sequence = standard_normal(n, d_model, 1) / (d_model > 2000 ? 64 : 1);
        const Matrix W_q = standard_normal(d_model, d_k, 2);
        const Matrix W_k = standard_normal(d_model, d_k, 3);
        const Matrix W_v = standard_normal(d_model, d_v, 4);
        expect_same(graded::compute_qkv(sequence, W_q, W_k, W_v),
                    {oracle::project(sequence, W_q), oracle::project(sequence, W_k),
                     oracle::project(sequence, W_v)});
    }
}

TEST_CASE(
    "01.2 compute_qkv: a component of 0 is one like any other, in the sequence and in a weight") {
    const Matrix sequence = standard_normal(5, 7, 21);
    const Matrix W_q = standard_normal(7, 5, 22);
    const Matrix W_k = standard_normal(7, 5, 23);
    const Matrix W_v = standard_normal(7, 4, 24);
    const auto expect = [](const Matrix& rows, const Matrix& q, const Matrix& k, const Matrix& v) {
        expect_same(graded::compute_qkv(rows, q, k, v),
                    {oracle::project(rows, q), oracle::project(rows, k), oracle::project(rows, v)});
    };
    expect(with_zeros(sequence), W_q, W_k, W_v);
    expect(sequence, with_zeros(W_q), with_zeros(W_k), with_zeros(W_v));
    expect(with_zeros(sequence), with_zeros(W_q), with_zeros(W_k), with_zeros(W_v));
    const Matrix nothing = xt::zeros<double>({7, 5});
    expect(sequence, nothing, W_k, W_v);
    expect(sequence, W_q, nothing, W_v);
    expect(sequence, W_q, W_k, nothing);
}

TEST_CASE("01.2 compute_qkv: tiny and huge numbers are numbers like any other") {
    const Matrix sequence = standard_normal(3, 5, 41);
    const Matrix W_q = standard_normal(5, 2, 42);
    const Matrix W_k = standard_normal(5, 2, 43);
    const Matrix W_v = standard_normal(5, 4, 44);
    std::vector<std::array<Matrix, 4>> all{{sequence, W_q, W_k, W_v}};
    for (const double size : drawn::magnitudes) {
        all.push_back({size * sequence, W_q, W_k, W_v});
        all.push_back({sequence, size * W_q, size * W_k, size * W_v});
        all.push_back({size * sequence, W_q / size, W_k / size, W_v / size});
        all.push_back({sequence, size * W_q, W_k, W_v});
        all.push_back({sequence, W_q, size * W_k, W_v});
        all.push_back({sequence, W_q, W_k, size * W_v});
    }
    for (const auto& [rows, q, k, v] : all) {
        static_cast<void>(graded::compute_qkv.attempt(rows, q, k, v));
    }
    for (const auto& [rows, q, k, v] : all) {
        const QKV right{oracle::project(rows, q), oracle::project(rows, k),
                        oracle::project(rows, v)};
        judge::expect_close(graded::compute_qkv(rows, q, k, v), right, judge::normwise);
        drawn::suspect_a_fixed_bound();
    }
}

TEST_CASE("01.2 compute_qkv: square weights of one size") {
    const Matrix sequence = standard_normal(3, 3, 5);
    const Matrix W_q = standard_normal(3, 3, 6);
    const Matrix W_k = standard_normal(3, 3, 7);
    const Matrix W_v = standard_normal(3, 3, 8);
    expect_same(graded::compute_qkv(sequence, W_q, W_k, W_v),
                {oracle::project(sequence, W_q), oracle::project(sequence, W_k),
                 oracle::project(sequence, W_v)});
}

TEST_CASE("01.2 compute_qkv: weights that begin and end alike, and have one sum, are three") {
    const Matrix W_q = look_alikes(6, 8, 15);
    const Matrix W_k = upside_down(W_q);
    Matrix W_v = W_q;
    xt::row(W_v, 1) = xt::row(W_q, 2);
    xt::row(W_v, 2) = xt::row(W_q, 1);
    const Matrix tokens = look_alikes(4, 6, 16);
    for (const Matrix& sequence : {tokens, upside_down(tokens)}) {
        expect_same(graded::compute_qkv(sequence, W_q, W_k, W_v),
                    {oracle::project(sequence, W_q), oracle::project(sequence, W_k),
                     oracle::project(sequence, W_v)});
    }
}

TEST_CASE("01.2 compute_qkv: agrees with PyTorch") {
    const auto saved = [](const char* name) {
        return support::golden(std::string("projections/") + name);
    };
    expect_same(graded::compute_qkv(saved("X"), saved("W_q"), saved("W_k"), saved("W_v")),
                {saved("Q"), saved("K"), saved("V")});
}

TEST_CASE("01.2 compute_qkv: a weight that does not fit is refused") {
    const Matrix sequence = standard_normal(2, 3, 1);
    const Matrix fits = standard_normal(3, 5, 2);
    // With more rows than X has columns, with fewer, with a single one, and with five digits; and
    // with as many columns as X, so that it would fit if it were transposed.
    for (const auto& [rows, columns] :
         {std::array<std::size_t, 2>{4, 5}, {2, 5}, {1, 5}, {12345, 5}, {5, 3}, {2, 3}, {1, 3}}) {
        const Matrix wrong = standard_normal(rows, columns, 3);
        const auto shapes = {sizes(sequence), sizes(wrong)};
        expect_refusal(graded::compute_qkv.attempt(sequence, wrong, fits, fits), shapes);
        expect_refusal(graded::compute_qkv.attempt(sequence, fits, wrong, fits), shapes);
        expect_refusal(graded::compute_qkv.attempt(sequence, fits, fits, wrong), shapes);
    }
}
