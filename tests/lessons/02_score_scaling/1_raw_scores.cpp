// 02.1 raw_scores

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_raw_scores {

using namespace proof;

const Domain raw_scores(graded::raw_scores, oracle::matmul_transposed<double>,
                        {{"Q", Kind::array, "n_queries x d_k"}, {"K", Kind::array, "n_keys x d_k"}},
                        sums_in_double);

TEST_CASE("02.1 raw_scores: two queries with three keys, small enough to do by hand") {
    expect_close(graded::raw_scores({{1, 2}, {0, 1}}, {{3, 1}, {2, -1}, {-1, 0}}),
                 Matrix{{5, 0, -1}, {1, -1, 0}}, sums_in_double);
}

TEST_CASE("02.1 raw_scores: as many queries as keys as components") {
    expect_close(graded::raw_scores({{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}), Matrix{{17, 23}, {39, 53}},
                 sums_in_double);
}

TEST_CASE("02.1 raw_scores: a right angle scores 0, an opposite direction less, a longer key "
          "more") {
    expect_close(graded::raw_scores({{2, 0}}, {{1, 0}, {0, 1}, {-1, 0}, {3, 3}, {0.5, 0.5}}),
                 Matrix{{2, 0, -2, 6, 1}}, sums_in_double);
}

TEST_CASE("02.1 raw_scores: agrees with PyTorch") {
    expect_close(graded::raw_scores(golden("scores/Q"), golden("scores/K")), golden("scores/raw"),
                 sums_in_double);
}

PROPERTIES("02.1 raw_scores", raw_scores)

TEST_CASE("02.1 raw_scores: short and long vectors, too") {
    const Matrix Q{{1, -2, 3}, {0.5, 4, -1}}, K{{2, 1, -1}, {3, 0.25, 2}};
    for (const double length : {1e-100, 1e-30, 1e-6, 50.0, 1e6, 1e30, 1e100}) {
        const Matrix q = length * Q, k = length * K;
        expect_close(graded::raw_scores(q, k), oracle::matmul_transposed(q, k), sums_in_double);
    }
}

} // namespace of_raw_scores
