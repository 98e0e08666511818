// 01.1 and 01.2 asked for sums in which a product changes nothing and others follow, and with
// shapes whose text is long; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/magnitudes.hpp"
#include "support/oracle.hpp"
#include "support/refusal.hpp"

namespace grader_terms {

using drawn::Pair;
using judge::sizes;
using lesson::Matrix;
using lesson::QKV;
using support::expect_refusal;

namespace {

/// X and W, first with nothing small in them, and then with it in X, in W, and in both.
std::vector<Pair> with_small_products() {
    const Matrix small = drawn::with_some_too_small_to_change_a_sum();
    const Matrix small_columns = xt::transpose(small);
    const Matrix X{{1, 1, 1, 1, 1}, {2, 1, 3, 1, 2}};
    const Matrix W{{1, 2}, {1, 3}, {1, 1}, {1, 4}, {1, 2}};
    return {{X, W}, {small, W}, {X, small_columns}, {small, small_columns}};
}

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

} // namespace

TEST_CASE("01.1 project: a product too small to change the sum, at any place, does not end it") {
    for (const auto& [X, W] : with_small_products()) {
        judge::expect_close(graded::project(X, W), oracle::project(X, W), judge::normwise);
        drawn::suspect_a_fixed_bound();
    }
}

TEST_CASE("01.2 compute_qkv: a product too small to change a sum, at any place, does not end it") {
    for (const auto& [X, W] : with_small_products()) {
        const QKV right{oracle::project(X, W), oracle::project(X, Matrix(2 * W)),
                        oracle::project(X, Matrix(-W))};
        judge::expect_close(graded::compute_qkv(X, W, 2 * W, -W), right, judge::normwise);
        drawn::suspect_a_fixed_bound();
    }
}

TEST_CASE("01.2 compute_qkv: sizes of six digits are named to the last digit") {
    const Matrix sequence = zeros(1, 123456);
    const Matrix fits = zeros(123456, 1);
    const Matrix wrong = zeros(234567, 2);
    const auto shapes = {sizes(sequence), sizes(wrong)};
    expect_refusal(graded::compute_qkv.attempt(sequence, wrong, wrong, fits), shapes);
    expect_refusal(graded::compute_qkv.attempt(sequence, fits, fits, wrong), shapes);
}

} // namespace grader_terms
