// 01.2 compute_qkv

#include <doctest/doctest.h>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

namespace of_compute_qkv {

using domain::Kind;
using judge::expect_close;
using lesson::Matrix;
using lesson::QKV;

// If products cancel, a sum is as exact as its largest terms.
constexpr judge::Tolerance tolerance{1e-10, 1e-300, 1e-10};

const auto three_products = [](const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                               const Matrix& W_v) {
    return QKV{oracle::matmul(X, W_q), oracle::matmul(X, W_k), oracle::matmul(X, W_v)};
};

const domain::Domain compute_qkv =
    domain::Domain("compute_qkv", domain::of<decltype(lesson::compute_qkv)>(three_products),
                   {{"X", Kind::array, "n x d_model"},
                    {"W_q", Kind::array, "d_model x d_k"},
                    {"W_k", Kind::array, "d_model x d_k"},
                    {"W_v", Kind::array, "d_model x d_v"}},
                   tolerance)
        .scaled({{"X", ""}, {"W_q", ""}, {"W_k", ""}, {"W_v", ""}})
        .refuses_only("d_model");

TEST_CASE("01.2 compute_qkv: three different weights give three different views") {
    expect_close(
        graded::compute_qkv({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {{1, 2}, {3, 4}}),
        QKV{{{1, 2}, {3, 4}}, {{2, 1}, {4, 3}}, {{7, 10}, {15, 22}}}, tolerance);
}

TEST_CASE("01.2 compute_qkv: first worked example") {
    const Matrix eye{{1, 0}, {0, 1}}, W_v{{1, 2}, {3, 4}};
    expect_close(graded::compute_qkv(eye, eye, eye, W_v), QKV{eye, eye, W_v}, tolerance);
}

TEST_CASE("01.2 compute_qkv: second worked example") {
    const Matrix eye{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    expect_close(graded::compute_qkv(eye, eye, eye, eye), QKV{eye, eye, eye}, tolerance);
}

TEST_CASE("01.2 compute_qkv: third worked example") {
    const Matrix X{{1, 2, 3}, {4, 5, 6}}, W{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    const Matrix Q{{2.2, 2.8}, {4.9, 6.4}};
    expect_close(graded::compute_qkv(X, W, W, {{1, 0}, {0, 1}, {1, 1}}),
                 QKV{Q, Q, {{4, 5}, {10, 11}}}, tolerance);
}

TEST_CASE("01.2 compute_qkv: agrees with PyTorch") {
    const auto saved = [](const std::string& name) {
        return support::golden("projections/" + name);
    };
    expect_close(graded::compute_qkv(saved("X"), saved("W_q"), saved("W_k"), saved("W_v")),
                 QKV{saved("Q"), saved("K"), saved("V")}, tolerance);
}

PROPERTIES("01.2 compute_qkv", compute_qkv)

} // namespace of_compute_qkv
