// 02.1 raw_scores

#include <doctest/doctest.h>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

namespace of_raw_scores {

using domain::Kind;
using judge::expect_close;
using lesson::Matrix;

// If products cancel, a sum is as exact as its largest terms.
constexpr judge::Tolerance tolerance{1e-10, 1e-300, 1e-10};

const domain::Domain raw_scores(
    "raw_scores", domain::of<decltype(lesson::raw_scores)>(oracle::matmul_transposed<double>),
    {{"Q", Kind::array, "n_queries x d_k"}, {"K", Kind::array, "n_keys x d_k"}}, tolerance);

TEST_CASE("02.1 raw_scores: two queries with three keys, small enough to do by hand") {
    expect_close(graded::raw_scores({{1, 2}, {0, 1}}, {{3, 1}, {2, -1}, {-1, 0}}),
                 Matrix{{5, 0, -1}, {1, -1, 0}}, tolerance);
}

TEST_CASE("02.1 raw_scores: as many queries as keys as components") {
    expect_close(graded::raw_scores({{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}), Matrix{{17, 23}, {39, 53}},
                 tolerance);
}

TEST_CASE("02.1 raw_scores: a right angle scores 0, an opposite direction less, a longer key "
          "more") {
    expect_close(graded::raw_scores({{2, 0}}, {{1, 0}, {0, 1}, {-1, 0}, {3, 3}, {0.5, 0.5}}),
                 Matrix{{2, 0, -2, 6, 1}}, tolerance);
}

TEST_CASE("02.1 raw_scores: agrees with PyTorch") {
    expect_close(graded::raw_scores(support::golden("scores/Q"), support::golden("scores/K")),
                 support::golden("scores/raw"), tolerance);
}

PROPERTIES("02.1 raw_scores", raw_scores)

TEST_CASE("02.1 raw_scores: short and long vectors, too") {
    const Matrix Q{{1, -2, 3}, {0.5, 4, -1}}, K{{2, 1, -1}, {3, 0.25, 2}};
    for (const double length : {1e-100, 1e-30, 1e-6, 50.0, 1e6, 1e30, 1e100}) {
        const Matrix q = length * Q, k = length * K;
        expect_close(graded::raw_scores(q, k), oracle::matmul_transposed(q, k), tolerance);
    }
}

} // namespace of_raw_scores
