// 01.1 to 01.3 asked with arguments of every kind, and with sizes that are alike or whole blocks;
// the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "support/kinds.hpp"
#include "support/nearly_special.hpp"
#include "support/one_more.hpp"
#include "support/oracle.hpp"
#include "support/refusal.hpp"

namespace grader_unusual {

using drawn::standard_normal;
using judge::sizes;
using lesson::Matrix;
using lesson::QKV;

namespace {

void expect_product(const Matrix& X, const Matrix& W) {
    judge::expect_close(graded::project(X, W), oracle::project(X, W), judge::normwise);
}

void expect_views(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
    judge::expect_close(
        graded::compute_qkv(X, W_q, W_k, W_v),
        QKV{oracle::project(X, W_q), oracle::project(X, W_k), oracle::project(X, W_v)},
        judge::normwise);
}

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

/// n, d_model, d_out: whole blocks of 8, all alike, one more than whole blocks, and 66,001.
const auto blocks = drawn::and_wide(
    drawn::and_one_more<3>({{8, 16, 24}, {16, 24, 8}, {24, 8, 16}, {8, 8, 8}, {72, 72, 72}}));

} // namespace

TEST_CASE(
    "01.1 project: arguments of every kind: all 0, all one number, one row again and again, a "
    "row or a column of zeros") {
    drawn::suspect_an_incomplete_look();
    drawn::each_in_turn<2>({standard_normal(3, 4, 81), standard_normal(4, 5, 82)}, expect_product);
    expect_product(drawn::nearly_one(3, 4, 83), standard_normal(4, 5, 82));
    expect_product(standard_normal(3, 4, 81), drawn::nearly_one(4, 5, 83));
    for (const auto& [x, w] : {std::array<double, 2>{0, 2}, {2, 0}, {0, 0}}) {
        expect_product({{x}}, {{w}});
    }
}

TEST_CASE("01.1 project: sizes that are multiples of 8, all 72, 17, 33, 65, 129 or 66,001") {
    for (const auto& [n, d_model, d_out] : blocks) {
        expect_product(standard_normal(n, d_model, 84), standard_normal(d_model, d_out, 85));
    }
}

TEST_CASE("01.2 compute_qkv: arguments of every kind: all 0, all one number, one row again and "
          "again, a row or a column of zeros") {
    drawn::suspect_an_incomplete_look();
    const Matrix X = standard_normal(3, 4, 86), W_q = standard_normal(4, 5, 87);
    const Matrix W_k = standard_normal(4, 5, 88), W_v = standard_normal(4, 2, 89);
    drawn::each_in_turn<4>({X, W_q, W_k, W_v}, expect_views);
    drawn::each_in_turn<4>({X, W_q, W_k, standard_normal(4, 7, 80)}, expect_views);
    expect_views(X, zeros(4, 5), zeros(4, 5), W_v);
    expect_views(X, zeros(4, 5), W_k, zeros(4, 2));
    expect_views(X, W_q, zeros(4, 5), zeros(4, 2));
    expect_views(X, zeros(4, 5), zeros(4, 5), zeros(4, 2));
    expect_views(drawn::nearly_one(3, 4, 83), W_q, W_k, W_v);
    expect_views(X, drawn::nearly_one(4, 5, 83), drawn::nearly_one(4, 5, 90),
                 drawn::nearly_one(4, 2, 91));
    for (const double x : {0.0, 3.0}) {
        expect_views({{x}}, {{0}}, {{2}}, {{-1}});
        expect_views({{x}}, {{2}}, {{0}}, {{0}});
    }
}

TEST_CASE("01.2 compute_qkv: sizes that are multiples of 8, all 72, 17, 33, 65, 129 or 66,001") {
    for (const auto& [n, d_model, d_k] : blocks) {
        expect_views(standard_normal(n, d_model, 84), standard_normal(d_model, d_k, 85),
                     standard_normal(d_model, d_k, 92),
                     standard_normal(d_model, d_k == 16 ? 8 : d_k, 93));
    }
}

TEST_CASE("01.3 check_projection: the numbers do not matter, whatever they are, nor do sizes that "
          "are multiples of 8, all 72, 17, 33, 65, 129 or 66,001") {
    const auto refuses = [](const Matrix& X, const Matrix& W) {
        support::expect_refusal(graded::check_projection.attempt(X, W), {sizes(X), sizes(W)});
    };
    const auto fits = [](const Matrix& X, const Matrix& W) { graded::check_projection(X, W); };
    drawn::each_in_turn<2>({standard_normal(3, 4, 81), standard_normal(4, 5, 82)}, fits);
    drawn::each_in_turn<2>({standard_normal(3, 4, 81), standard_normal(3, 5, 82)}, refuses);
    drawn::each_in_turn<2>({standard_normal(4, 4, 81), standard_normal(3, 3, 82)}, refuses);
    for (const double size : {1e-160, 1e-12, 1e12, 1e100}) {
        fits(size * standard_normal(3, 4, 81), size * standard_normal(4, 5, 82));
        refuses(size * standard_normal(3, 4, 81), size * standard_normal(5, 4, 82));
    }
    for (const auto& [n, d_model, d_out] : blocks) {
        fits(zeros(n, d_model), zeros(d_model, d_out));
        refuses(zeros(n, d_model), zeros(d_model + 8, d_out));
        refuses(zeros(n, d_model + 1), zeros(d_model, d_out));
    }
}

} // namespace grader_unusual
