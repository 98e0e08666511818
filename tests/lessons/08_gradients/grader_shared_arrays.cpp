// 08.1 to 08.5 where one array stands for several arguments, in every way that shapes allow: what
// takes equal addresses, or equal numbers, for a sign of something else shows.

#include <doctest/doctest.h>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/shared_arguments.hpp"

namespace grader_shared_arrays {

using drawn::standard_normal;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;

namespace {

/// Squares, in every way in which some of them are one.
std::vector<std::vector<Matrix>> shared_squares(std::size_t count, std::size_t size,
                                                std::uint64_t seed) {
    std::vector<std::vector<Matrix>> result;
    for (const std::vector<std::size_t>& way : support::ways_to_share(count)) {
        result.emplace_back();
        for (const std::size_t i : way) {
            result.back().push_back(standard_normal(size, size, seed + i));
        }
    }
    return result;
}

} // namespace

TEST_CASE("08.1 softmax_backward: one matrix as weights and as their gradient") {
    const Matrix p = oracle::softmax_rows(standard_normal(3, 4, 601));
    expect_close(graded::softmax_backward(p, p), plain::softmax_backward(p, p), judge::normwise);
}

TEST_CASE("08.2 matmul_backward: one matrix as two of the three arguments, and as all three") {
    for (const std::vector<Matrix>& of : shared_squares(3, 3, 611)) {
        expect_close(graded::matmul_backward(of[0], of[1], of[2]),
                     plain::matmul_backward(of[0], of[1], of[2]), judge::normwise);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: one matrix as two of the three arguments, and as all "
          "three") {
    for (const std::vector<Matrix>& of : shared_squares(3, 3, 621)) {
        expect_close(graded::matmul_transposed_backward(of[0], of[1], of[2]),
                     plain::matmul_transposed_backward(of[0], of[1], of[2]), judge::normwise);
    }
}

TEST_CASE("08.3 attention_backward: one matrix as several of Q, K, V, the weights and d_output") {
    Mask mask = xt::ones<bool>({3, 3});
    mask(0, 2) = mask(2, 0) = false;
    const auto expect_gradients = [&](const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Matrix& weights, const Matrix& d_output) {
        expect_close(graded::attention_backward(Q, K, V, mask, weights, d_output),
                     plain::attention_backward(Q, K, V, mask, weights, d_output), judge::normwise);
    };
    for (const std::vector<Matrix>& of : shared_squares(4, 3, 631)) {
        const Matrix weights = plain::attention_weights(of[0], of[1], mask);
        expect_gradients(of[0], of[1], of[2], weights, of[3]);
        expect_gradients(of[0], of[1], weights, weights, of[3]);
        expect_gradients(of[0], of[1], of[2], weights, weights);
    }
}

TEST_CASE("08.3 attention_backward: one matrix as two arguments, beside others of other shapes") {
    const auto expect_gradients = [](const Matrix& Q, const Matrix& K, const Matrix& V,
                                     const Matrix& d_output) {
        const Mask mask = xt::ones<bool>({Q.shape(0), K.shape(0)});
        const Matrix weights = plain::attention_weights(Q, K, mask);
        expect_close(graded::attention_backward(Q, K, V, mask, weights, d_output),
                     plain::attention_backward(Q, K, V, mask, weights, d_output), judge::normwise);
    };
    const Matrix A = standard_normal(4, 3, 641), B = standard_normal(5, 3, 642),
                 C = standard_normal(4, 2, 643), D = standard_normal(5, 2, 644);
    expect_gradients(A, A, C, standard_normal(4, 2, 645));
    expect_gradients(A, B, B, standard_normal(4, 3, 646));
    expect_gradients(A, B, D, C);
    expect_gradients(A, B, standard_normal(5, 3, 647), A);
    expect_gradients(A, A, C, C);
}

TEST_CASE("08.4 gradient_check: one vector as the point and as the gradient") {
    const Vector x{1, -2, 3};
    expect_close(graded::gradient_check("squares", x, x, 0.25),
                 plain::gradient_check(by_name::function_named("squares"), x, x, 0.25),
                 judge::Tolerance{1e-9, 1e-12});
}

TEST_CASE("08.5 learn_lookup: a table twice, and equal matrices in a table and in start") {
    const auto expect_learned = [](const std::vector<lesson::Table>& tables,
                                   const lesson::Projections& start) {
        expect_close(graded::learn_lookup(tables, start, 3, 0.2),
                     plain::learn_lookup(tables, start, 3, 0.2), judge::Tolerance{0, 0, 1e-10});
    };
    const lesson::Table one{standard_normal(3, 3, 651), standard_normal(3, 3, 652),
                            standard_normal(3, 3, 653)},
        other{standard_normal(3, 3, 654), standard_normal(3, 3, 655), standard_normal(3, 3, 656)};
    for (const std::vector<Matrix>& of : shared_squares(3, 3, 661)) {
        const Matrix W_q = 0.5 * of[0], W_k = 0.5 * of[1], W_v = 0.5 * of[2];
        expect_learned({one, one, other}, {W_q, W_k, W_v});
        expect_learned({{of[0], of[1], of[2]}}, {W_q, W_k, W_v});
    }
}

// ---- many tables and many steps

TEST_CASE("08.5 learn_lookup: 300 tables, and steps beyond two rounds of them") {
    std::vector<lesson::Table> tables;
    for (std::uint64_t t = 0; t < 300; ++t) {
        tables.push_back({standard_normal(1, 1, 1000 + 3 * t), standard_normal(2, 1, 1001 + 3 * t),
                          standard_normal(1, 1, 1002 + 3 * t)});
    }
    const lesson::Projections start{{{0.5}}, {{-0.4}}, {{0.3}}};
    expect_close(graded::learn_lookup(tables, start, 701, 0.01),
                 plain::learn_lookup(tables, start, 701, 0.01), judge::Tolerance{0, 0, 1e-9});
}

} // namespace grader_shared_arrays
