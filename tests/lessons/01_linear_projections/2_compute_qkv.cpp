// 01.2 compute_qkv

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_compute_qkv {

using namespace proof;
using lesson::QKV;

const auto three_products = [](const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                               const Matrix& W_v) {
    return QKV{oracle::matmul(X, W_q), oracle::matmul(X, W_k), oracle::matmul(X, W_v)};
};

const auto compute_qkv = Domain(graded::compute_qkv, three_products,
                                {{"X", Kind::array, "n x d_model"},
                                 {"W_q", Kind::array, "d_model x d_k"},
                                 {"W_k", Kind::array, "d_model x d_k"},
                                 {"W_v", Kind::array, "d_model x d_v"}},
                                sums_in_double)
                             .scaled({{"X", ""}, {"W_q", ""}, {"W_k", ""}, {"W_v", ""}})
                             .refuses_only("d_model");

TEST_CASE("01.2 compute_qkv: three different weights give three different views") {
    expect_close(
        graded::compute_qkv({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {{1, 2}, {3, 4}}),
        QKV{{{1, 2}, {3, 4}}, {{2, 1}, {4, 3}}, {{7, 10}, {15, 22}}}, sums_in_double);
}

TEST_CASE("01.2 compute_qkv: first worked example") {
    const Matrix eye{{1, 0}, {0, 1}}, W_v{{1, 2}, {3, 4}};
    expect_close(graded::compute_qkv(eye, eye, eye, W_v), QKV{eye, eye, W_v}, sums_in_double);
}

TEST_CASE("01.2 compute_qkv: second worked example") {
    const Matrix eye{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    expect_close(graded::compute_qkv(eye, eye, eye, eye), QKV{eye, eye, eye}, sums_in_double);
}

TEST_CASE("01.2 compute_qkv: third worked example") {
    const Matrix X{{1, 2, 3}, {4, 5, 6}}, W{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    const Matrix Q{{2.2, 2.8}, {4.9, 6.4}};
    expect_close(graded::compute_qkv(X, W, W, {{1, 0}, {0, 1}, {1, 1}}),
                 QKV{Q, Q, {{4, 5}, {10, 11}}}, sums_in_double);
}

TEST_CASE("01.2 compute_qkv: agrees with PyTorch") {
    const auto saved = [](const std::string& name) { return golden("projections/" + name); };
    expect_close(graded::compute_qkv(saved("X"), saved("W_q"), saved("W_k"), saved("W_v")),
                 QKV{saved("Q"), saved("K"), saved("V")}, sums_in_double);
}

PROPERTIES("01.2 compute_qkv", compute_qkv)

} // namespace of_compute_qkv
