#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
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
                                            {4, 1, 1}}) {
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
                                               {3, 4, 1, 1}}) {
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
    // With more rows than X has columns, with fewer, with a single one, and with five digits.
    for (const std::size_t rows : {4U, 2U, 1U, 12345U}) {
        const Matrix wrong = standard_normal(rows, 5, 3);
        const auto shapes = {sizes(sequence), sizes(wrong)};
        expect_refusal(graded::compute_qkv.attempt(sequence, wrong, fits, fits), shapes);
        expect_refusal(graded::compute_qkv.attempt(sequence, fits, wrong, fits), shapes);
        expect_refusal(graded::compute_qkv.attempt(sequence, fits, fits, wrong), shapes);
    }
}

// ---- 01.3

// A case for each pair of shapes: what a wrong check does with all of them tells which one it is.

void refuses(const Matrix& left, const Matrix& right) {
    expect_refusal(graded::check_projection.attempt(left, right), {sizes(left), sizes(right)});
}

TEST_CASE("01.3 check_projection: says nothing when X has as many columns as W has rows") {
    graded::check_projection(standard_normal(2, 3, 1), standard_normal(3, 4, 2));
}

TEST_CASE("01.3 check_projection: throws std::invalid_argument and names both shapes") {
    refuses(standard_normal(2, 3, 1), standard_normal(4, 5, 2));
}

TEST_CASE("01.3 check_projection: two square matrices of one size fit") {
    graded::check_projection(X, W);
}

TEST_CASE("01.3 check_projection: a single column fits a single row") {
    graded::check_projection(standard_normal(3, 1, 1), standard_normal(1, 3, 2));
}

TEST_CASE("01.3 check_projection: the same shape twice does not make a product") {
    refuses(standard_normal(3, 4, 1), standard_normal(3, 4, 2));
}

TEST_CASE("01.3 check_projection: equal numbers of rows are not enough") {
    refuses(standard_normal(2, 3, 1), standard_normal(2, 5, 2));
}

TEST_CASE("01.3 check_projection: W · X would exist, X · W does not") {
    refuses(standard_normal(2, 3, 1), standard_normal(5, 2, 2));
}

TEST_CASE("01.3 check_projection: equal numbers of columns are not enough") {
    refuses(standard_normal(4, 3, 1), standard_normal(5, 3, 2));
}

TEST_CASE("01.3 check_projection: a single row or column is not stretched to fit") {
    const Matrix one = standard_normal(1, 1, 1);
    const Matrix wide = standard_normal(3, 4, 2);
    refuses(one, wide);
    refuses(wide, one);
}

TEST_CASE("01.3 check_projection: a sequence of one token fits as any other") {
    graded::check_projection(standard_normal(1, 3, 1), standard_normal(3, 2, 2));
}

TEST_CASE("01.3 check_projection: a weight with a single column fits as any other") {
    graded::check_projection(standard_normal(2, 3, 1), standard_normal(3, 1, 2));
}

TEST_CASE("01.3 check_projection: more columns in X than rows in W, by a multiple") {
    refuses(standard_normal(3, 6, 1), standard_normal(2, 5, 2));
}

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

TEST_CASE("01.3 check_projection: hundreds of rows and columns fit as few do") {
    graded::check_projection(zeros(300, 259), zeros(259, 150));
    graded::check_projection(zeros(3, 70), zeros(70, 400));
}

TEST_CASE("01.3 check_projection: hundreds of columns, and as few as 3, do not fit") {
    refuses(zeros(2, 259), zeros(3, 5));
    refuses(zeros(2, 3), zeros(259, 5));
}

TEST_CASE("01.3 check_projection: sizes of five digits are compared, and named, as others are") {
    graded::check_projection(zeros(12345, 3), zeros(3, 10007));
    graded::check_projection(zeros(2, 12345), zeros(12345, 3));
    refuses(zeros(12345, 3), zeros(10007, 2));
    refuses(zeros(2, 12345), zeros(3, 10007));
    refuses(zeros(2, 12345), zeros(12344, 3));
}

TEST_CASE(
    "01.3 check_projection: sizes of ten digits do not fit, and are named to the last digit") {
    // Without a single element, so that they take no memory.
    refuses(zeros(1234567890, 0), zeros(2046813579, 0));
    refuses(zeros(0, 1234567890), zeros(0, 2046813579));
    refuses(zeros(0, 1234567890), zeros(2046813579, 0));
}

TEST_CASE("01.3 check_projection: 0 is a size like any other") {
    graded::check_projection(zeros(0, 3), zeros(3, 2));
    graded::check_projection(zeros(2, 0), zeros(0, 4));
    graded::check_projection(zeros(2, 3), zeros(3, 0));
    refuses(zeros(2, 3), zeros(0, 4));
    refuses(zeros(2, 0), zeros(3, 4));
    refuses(zeros(0, 3), zeros(4, 2));
    refuses(zeros(2, 3), zeros(4, 0));
}

TEST_CASE("01.3 check_projection: every pair of shapes from (1, 1) to (3, 3)") {
    std::vector<std::pair<Matrix, Matrix>> pairs;
    for (const std::size_t n : {1U, 2U, 3U}) {
        for (const std::size_t columns : {1U, 2U, 3U}) {
            for (const std::size_t rows : {1U, 2U, 3U}) {
                for (const std::size_t d_out : {1U, 2U, 3U}) {
                    pairs.emplace_back(zeros(n, columns), zeros(rows, d_out));
                }
            }
        }
    }
    // All are asked before the first is judged: together they tell which rule a check follows.
    for (const auto& [left, right] : pairs) {
        static_cast<void>(graded::check_projection.attempt(left, right));
    }
    for (const auto& [left, right] : pairs) {
        if (left.shape(1) == right.shape(0)) {
            graded::check_projection(left, right);
        } else {
            refuses(left, right);
        }
    }
}
