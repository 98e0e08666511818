#include "attention/projections.hpp"

#include "attention/random.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"

using namespace attention;
using support::check_close;
using support::golden;

TEST_CASE("compute_qkv: agrees with PyTorch, and a sequence without tokens has no views") {
    const QKV views = compute_qkv(golden("projections/X"), golden("projections/W_q"),
                                  golden("projections/W_k"), golden("projections/W_v"));
    check_close(views.Q, golden("projections/Q"), {1e-14, 1e-14});
    check_close(views.K, golden("projections/K"), {1e-14, 1e-14});
    check_close(views.V, golden("projections/V"), {1e-14, 1e-14});
    const Matrix W = standard_normal(3, 5, 1);
    CHECK(shape_text(compute_qkv(Matrix::from_shape({0, 3}), W, W, W).V) == "(0, 5)");
}

TEST_CASE("compute_qkv: an error names the weight that does not fit") {
    const Matrix X = standard_normal(2, 3, 1);
    const Matrix W = standard_normal(3, 5, 2);
    const Matrix bad = standard_normal(4, 5, 3);
    const Matrix wide = standard_normal(3, 6, 3);
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
        compute_qkv(X, W, wide, W),
        "compute_qkv: W_q and W_k must share d_k, got 5 and 6; W_q is (3, 5), W_k is (3, 6)");
    CHECK(shape_text(compute_qkv(X, W, W, wide).V) == "(2, 6)");
}
