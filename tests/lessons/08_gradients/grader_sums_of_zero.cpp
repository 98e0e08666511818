// 08.1 to 08.3 and 08.5 with rows and columns that sum to 0, and are no padding; and with sums that
// leave little of what is large.

#include <doctest/doctest.h>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_sums_of_zero {

using drawn::each_summing_to_zero;
using drawn::standard_normal;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;

TEST_CASE("08.1 softmax_backward: gradients of a row or a column that sum to 0") {
    const Matrix weights = oracle::softmax_rows(standard_normal(4, 5, 401));
    for (const Matrix& d_weights : each_summing_to_zero(standard_normal(4, 5, 402))) {
        expect_close(graded::softmax_backward(weights, d_weights),
                     plain::softmax_backward(weights, d_weights), judge::normwise);
    }
}

TEST_CASE("08.2 matmul_backward: rows and columns that sum to 0, in A, in B and in d_C") {
    const Matrix A = standard_normal(4, 5, 411), B = standard_normal(5, 3, 412),
                 d_C = standard_normal(4, 3, 413);
    const auto expect_product = [](const Matrix& X, const Matrix& Y, const Matrix& d_XY) {
        expect_close(graded::matmul_backward(X, Y, d_XY), plain::matmul_backward(X, Y, d_XY),
                     judge::normwise);
    };
    for (std::size_t k = 0; k < 2; ++k) {
        expect_product(A, B, each_summing_to_zero(d_C)[k]);
        expect_product(each_summing_to_zero(A)[k], B, d_C);
        expect_product(A, each_summing_to_zero(B)[k], d_C);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: rows and columns that sum to 0, in A, in B and in "
          "d_C") {
    const Matrix A = standard_normal(4, 5, 421), B = standard_normal(3, 5, 422),
                 d_C = standard_normal(4, 3, 423);
    const auto expect_product = [](const Matrix& X, const Matrix& Y, const Matrix& d_XY) {
        expect_close(graded::matmul_transposed_backward(X, Y, d_XY),
                     plain::matmul_transposed_backward(X, Y, d_XY), judge::normwise);
    };
    for (std::size_t k = 0; k < 2; ++k) {
        expect_product(A, B, each_summing_to_zero(d_C)[k]);
        expect_product(each_summing_to_zero(A)[k], B, d_C);
        expect_product(A, each_summing_to_zero(B)[k], d_C);
    }
}

TEST_CASE("08.3 attention_backward: rows and columns that sum to 0, in Q, K, V and d_output") {
    struct Problem {
        Matrix Q, K, V, d_output;
    };
    const Problem in{standard_normal(4, 3, 431), standard_normal(6, 3, 432),
                     standard_normal(6, 5, 433), standard_normal(4, 5, 434)};
    const Mask mask = xt::ones<bool>({4, 6});
    for (const auto argument : {&Problem::d_output, &Problem::Q, &Problem::K, &Problem::V}) {
        for (const Matrix& sums : each_summing_to_zero(in.*argument)) {
            Problem of = in;
            of.*argument = sums;
            const Matrix weights = plain::attention_weights(of.Q, of.K, mask);
            expect_close(graded::attention_backward(of.Q, of.K, of.V, mask, weights, of.d_output),
                         plain::attention_backward(of.Q, of.K, of.V, mask, weights, of.d_output),
                         judge::Tolerance{0, 1e-13, 1e-12});
        }
    }
}

TEST_CASE("08.5 learn_lookup: rows and columns that sum to 0, in what is asked, held and wanted") {
    const lesson::Table in{standard_normal(4, 3, 441), standard_normal(5, 3, 442),
                           standard_normal(4, 6, 443)};
    const lesson::Projections start{0.5 * standard_normal(3, 2, 444),
                                    0.5 * standard_normal(3, 2, 445),
                                    0.5 * standard_normal(3, 6, 446)};
    for (const auto part :
         {&lesson::Table::asked, &lesson::Table::entries, &lesson::Table::wanted}) {
        for (const Matrix& sums : each_summing_to_zero(in.*part)) {
            lesson::Table of = in;
            of.*part = sums;
            expect_close(graded::learn_lookup({of}, start, 2, 0.2),
                         plain::learn_lookup({of}, start, 2, 0.2),
                         judge::Tolerance{0, 1e-13, 1e-10});
        }
    }
}

TEST_CASE("08.5 learn_lookup: outputs of 1e8, of which a few units are missing") {
    // A single entry, which every output is: what is wanted is -1, -2, 3 and 0 away from that, of
    // which half the sum of squares is 7, and 3.5 for each query.
    const lesson::Table table{{{1}, {2}}, {{1}}, {{1e8 + 1, 2 - 1e8}, {1e8 - 3, -1e8}}};
    const lesson::Projections start{{{0.5}}, {{0.25}}, {{1e8, -1e8}}};
    expect_close(graded::learn_lookup({table}, start, 1, 0.25),
                 plain::learn_lookup({table}, start, 1, 0.25), judge::Tolerance{0, 1e-9, 1e-10});
}

} // namespace grader_sums_of_zero
