#include "attention/scores.hpp"

#include "attention/random.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

#include <cmath>
#include <limits>

using namespace attention;
using support::check_close;
using support::check_within;
using support::golden;
using support::golden_f;

namespace {

// k ε Σ |q k| for the sum, and 3 ε for the root, the quotient and the oracle's own rounding.
template <class M>
Matrix error_bound(const M& Q, const M& K) {
    const M Q_size = xt::abs(Q);
    const M K_size = xt::abs(K);
    const double epsilon =
        static_cast<double>(std::numeric_limits<typename M::value_type>::epsilon());
    return (static_cast<double>(Q.shape(1)) + 3) * epsilon *
           oracle::matmul_transposed(Q_size, K_size);
}

template <class M>
void check_scores(const M& Q, const M& K) {
    const Matrix bound = error_bound(Q, K);
    const Matrix scaled_bound = bound / std::sqrt(static_cast<double>(Q.shape(1)));
    check_within(raw_scores(Q, K), oracle::matmul_transposed(Q, K), bound);
    check_within(scaled_scores(Q, K), oracle::scaled_scores(Q, K), scaled_bound);
}

} // namespace

TEST_CASE("raw_scores: a case to do by hand") {
    const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
    const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
    CHECK(raw_scores(Q, K) == Matrix{{1, 0, 0.5}, {0, 1, 0.5}, {1, 1, 1}});
}

TEST_CASE("scaled_scores: a case to do by hand") {
    const Matrix Q{{1, 2, 3, 4}, {0, 1, 0, 1}};
    const Matrix K{{1, 1, 1, 1}, {4, 0, 0, 0}, {0, 0, 2, 0}};
    CHECK(scaled_scores(Q, K) == Matrix{{5, 2, 3}, {1, 0, 0}});
}

TEST_CASE("raw_scores, scaled_scores: awkward sizes stay within the rounding bound") {
    struct Sizes {
        std::size_t n_queries, n_keys, d_k;
    };
    const Sizes awkward[] = {{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {5, 7, 11}, {37, 29, 64}};
    for (const Sizes& sizes : awkward) {
        INFO("n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys, ", d_k ", sizes.d_k);
        const Matrix Q = standard_normal(sizes.n_queries, sizes.d_k, 1);
        const Matrix K = standard_normal(sizes.n_keys, sizes.d_k, 2);
        check_scores(Q, K);
        check_scores<MatrixF>(xt::cast<float>(Q), xt::cast<float>(K));
    }
}

TEST_CASE("raw_scores, scaled_scores: agree with PyTorch") {
    const Matrix Q = golden("scores/Q");
    const Matrix K = golden("scores/K");
    check_close(raw_scores(Q, K), golden("scores/raw"), {1e-14, 1e-14});
    check_close(scaled_scores(Q, K), golden("scores/scaled"), {1e-14, 1e-14});
    const MatrixF Q_f = golden_f("scores/Q_float");
    const MatrixF K_f = golden_f("scores/K_float");
    check_close(raw_scores(Q_f, K_f), golden_f("scores/raw_float"), {1e-6, 2e-6});
    check_close(scaled_scores(Q_f, K_f), golden_f("scores/scaled_float"), {1e-6, 1e-6});
}

TEST_CASE("raw_scores, scaled_scores: queries and keys may be one array") {
    const Matrix X = standard_normal(6, 4, 5);
    const Matrix first_rows = xt::view(X, xt::range(0, 2), xt::all());
    check_scores(X, X);
    check_scores(first_rows, X);
    const MatrixF X_f = xt::cast<float>(X);
    check_scores(X_f, X_f);
}

TEST_CASE("raw_scores: swapping queries and keys transposes the scores") {
    const Matrix Q = standard_normal(5, 3, 6);
    const Matrix K = standard_normal(7, 3, 7);
    const Matrix transposed = xt::transpose(raw_scores(K, Q));
    check_close(raw_scores(Q, K), transposed, {1e-14, 1e-14});
}

TEST_CASE("raw_scores: vectors without components have the dot product 0") {
    const Matrix zeros = xt::zeros<double>({2, 3});
    check_close(raw_scores(Matrix::from_shape({2, 0}), Matrix::from_shape({3, 0})), zeros, {0, 0});
}

TEST_CASE("scaled_scores: d_k = 0 is an invalid_argument") {
    CHECK_REFUSED(scaled_scores(Matrix::from_shape({2, 0}), Matrix::from_shape({3, 0})),
                  "scaled_scores: d_k must be at least 1, got 0; Q is (2, 0), K is (3, 0)");
}

TEST_CASE(
    "raw_scores, scaled_scores: different d_k is an invalid_argument that shows both shapes") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    CHECK_REFUSED(raw_scores(Q, K),
                  "raw_scores: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(scaled_scores(Q, K),
                  "scaled_scores: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(raw_scores(MatrixF(Q), MatrixF(K)),
                  "raw_scores: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(scaled_scores(MatrixF(Q), MatrixF(K)),
                  "scaled_scores: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
}
