#include "attention/projections.hpp"

#include "attention/random.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

using namespace attention;
using support::check_close;
using support::golden;

TEST_CASE("project: a case to do by hand") {
    const Matrix X{{1, 2}, {3, 4}, {5, 6}};
    const Matrix W{{1, 0, 2, 1}, {0, 1, 1, -1}};
    CHECK(project(X, W) == Matrix{{1, 2, 4, -1}, {3, 4, 10, -1}, {5, 6, 16, -1}});
}

TEST_CASE("project: awkward sizes agree with the plain loops") {
    for (const std::size_t n : {1U, 2U, 5U, 31U}) {
        for (const std::size_t d_model : {1U, 3U, 64U}) {
            for (const std::size_t d_out : {1U, 7U, 17U}) {
                INFO("n ", n, ", d_model ", d_model, ", d_out ", d_out);
                const Matrix X = standard_normal(n, d_model, 1);
                const Matrix W = standard_normal(d_model, d_out, 2);
                check_close(project(X, W), oracle::matmul(X, W));
                const MatrixF X_f = xt::cast<float>(X);
                const MatrixF W_f = xt::cast<float>(W);
                check_close(project(X_f, W_f), oracle::matmul(X_f, W_f), {1e-5, 1e-5});
            }
        }
    }
}

TEST_CASE("project: agrees with PyTorch") {
    check_close(project(golden("projections/X"), golden("projections/W_v")),
                golden("projections/V"), {1e-14, 1e-14});
}

TEST_CASE("project: a sequence without tokens has no views") {
    CHECK(shape_text(project(Matrix::from_shape({0, 3}), standard_normal(3, 5, 1))) == "(0, 5)");
}

TEST_CASE("project: different d_model is an invalid_argument that shows both shapes") {
    const Matrix X = standard_normal(2, 3, 1);
    const Matrix W = standard_normal(4, 5, 2);
    CHECK_REFUSED(project(X, W),
                  "project: X and W must share d_model, got 3 and 4; X is (2, 3), W is (4, 5)");
    CHECK_REFUSED(project(MatrixF(X), MatrixF(W)),
                  "project: X and W must share d_model, got 3 and 4; X is (2, 3), W is (4, 5)");
}

TEST_CASE("compute_qkv: each view comes from its own weight") {
    const Matrix X = standard_normal(5, 7, 1);
    const Matrix W_q = standard_normal(7, 3, 2);
    const Matrix W_k = standard_normal(7, 3, 3);
    const Matrix W_v = standard_normal(7, 4, 4);
    const QKV views = compute_qkv(X, W_q, W_k, W_v);
    check_close(views.Q, oracle::matmul(X, W_q));
    check_close(views.K, oracle::matmul(X, W_k));
    check_close(views.V, oracle::matmul(X, W_v));
}

TEST_CASE("compute_qkv: agrees with PyTorch") {
    const Matrix X = golden("projections/X");
    const Matrix W_q = golden("projections/W_q");
    const Matrix W_k = golden("projections/W_k");
    const Matrix W_v = golden("projections/W_v");
    const QKV views = compute_qkv(X, W_q, W_k, W_v);
    check_close(views.Q, golden("projections/Q"), {1e-14, 1e-14});
    check_close(views.K, golden("projections/K"), {1e-14, 1e-14});
    check_close(views.V, golden("projections/V"), {1e-14, 1e-14});

    const QKVF views_f = compute_qkv(MatrixF(X), MatrixF(W_q), MatrixF(W_k), MatrixF(W_v));
    check_close(views_f.Q, golden("projections/Q"), {1e-5, 1e-5});
    check_close(views_f.K, golden("projections/K"), {1e-5, 1e-5});
    check_close(views_f.V, golden("projections/V"), {1e-5, 1e-5});
}

TEST_CASE("compute_qkv: an error names the weight that does not fit") {
    const Matrix X = standard_normal(2, 3, 1);
    const Matrix W = standard_normal(3, 5, 2);
    const Matrix bad = standard_normal(4, 5, 3);
    CHECK_REFUSED(
        compute_qkv(X, bad, W, W),
        "compute_qkv: X and W_q must share d_model, got 3 and 4; X is (2, 3), W_q is (4, 5)");
    CHECK_REFUSED(
        compute_qkv(X, W, bad, W),
        "compute_qkv: X and W_k must share d_model, got 3 and 4; X is (2, 3), W_k is (4, 5)");
    CHECK_REFUSED(
        compute_qkv(X, W, W, bad),
        "compute_qkv: X and W_v must share d_model, got 3 and 4; X is (2, 3), W_v is (4, 5)");
    CHECK_REFUSED(
        compute_qkv(MatrixF(X), MatrixF(W), MatrixF(W), MatrixF(bad)),
        "compute_qkv: X and W_v must share d_model, got 3 and 4; X is (2, 3), W_v is (4, 5)");
}

TEST_CASE("compute_qkv: W_q and W_k must share d_k, W_v need not") {
    const Matrix X = standard_normal(2, 3, 1);
    const Matrix W_q = standard_normal(3, 5, 2);
    const Matrix W_k = standard_normal(3, 6, 3);
    CHECK_REFUSED(
        compute_qkv(X, W_q, W_k, W_q),
        "compute_qkv: W_q and W_k must share d_k, got 5 and 6; W_q is (3, 5), W_k is (3, 6)");
    CHECK(shape_text(compute_qkv(X, W_q, W_q, W_k).V) == "(2, 6)");
}
