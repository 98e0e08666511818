#include "attention/scores.hpp"

#include "attention/random.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

using namespace attention;
using support::check_close;
using support::golden;

namespace {

void check_scores(const Matrix& Q, const Matrix& K) {
    check_close(raw_scores(Q, K), oracle::matmul_transposed(Q, K), {1e-13, 1e-13});
    check_close(scaled_scores(Q, K), oracle::scaled_scores(Q, K), {1e-13, 1e-13});
}

} // namespace

TEST_CASE("raw_scores, scaled_scores: cases to do by hand, and PyTorch's") {
    CHECK(raw_scores(Matrix{{1, 0}, {0, 1}, {1, 1}}, Matrix{{1, 0}, {0, 1}, {0.5, 0.5}}) ==
          Matrix{{1, 0, 0.5}, {0, 1, 0.5}, {1, 1, 1}});
    CHECK(scaled_scores(Matrix{{1, 2, 3, 4}, {0, 1, 0, 1}},
                        Matrix{{1, 1, 1, 1}, {4, 0, 0, 0}, {0, 0, 2, 0}}) ==
          Matrix{{5, 2, 3}, {1, 0, 0}});
    const Matrix Q = golden("scores/Q"), K = golden("scores/K");
    check_close(raw_scores(Q, K), golden("scores/raw"), {1e-14, 1e-14});
    check_close(scaled_scores(Q, K), golden("scores/scaled"), {1e-14, 1e-14});
}

TEST_CASE("raw_scores, scaled_scores: awkward sizes, and one array as both, agree with loops") {
    struct Sizes {
        std::size_t n_queries, n_keys, d_k;
    };
    const Sizes awkward[] = {{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {5, 7, 11}, {37, 29, 64}};
    for (const Sizes& sizes : awkward) {
        INFO("n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys, ", d_k ", sizes.d_k);
        const Matrix Q = standard_normal(sizes.n_queries, sizes.d_k, 1);
        check_scores(Q, standard_normal(sizes.n_keys, sizes.d_k, 2));
        check_scores(Q, Q);
    }
    const Matrix zeros = xt::zeros<double>({2, 3});
    check_close(raw_scores(Matrix::from_shape({2, 0}), Matrix::from_shape({3, 0})), zeros, {0, 0});
}

TEST_CASE("raw_scores, scaled_scores: d_k that is 0 or differs is an invalid_argument") {
    const Matrix Q = standard_normal(2, 3, 1);
    const Matrix K = standard_normal(5, 4, 2);
    CHECK_REFUSED(raw_scores(Q, K),
                  "raw_scores: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(scaled_scores(Q, K),
                  "scaled_scores: Q and K must share d_k, got 3 and 4; Q is (2, 3), K is (5, 4)");
    CHECK_REFUSED(scaled_scores(Matrix::from_shape({2, 0}), Matrix::from_shape({3, 0})),
                  "scaled_scores: d_k must be at least 1, got 0; Q is (2, 0), K is (3, 0)");
}
