// 02.2 scaled_scores

#include <doctest/doctest.h>

#include <cmath>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

namespace of_scaled_scores {

using domain::Kind;
using judge::expect_close;
using lesson::Matrix;

// If products cancel, a sum is as exact as its largest terms.
constexpr judge::Tolerance tolerance{1e-10, 1e-300, 1e-10};

const domain::Domain scaled_scores =
    domain::Domain(
        "scaled_scores", domain::of<decltype(lesson::scaled_scores)>(oracle::scaled_scores<double>),
        {{"Q", Kind::array, "n_queries x d_k"}, {"K", Kind::array, "n_keys x d_k"}}, tolerance)
        .large("d_k", 20'011);

TEST_CASE("02.2 scaled_scores: four components halve the scores, by hand") {
    expect_close(graded::scaled_scores({{1, 2, 3, 4}, {0, 2, 0, 0}},
                                       {{1, 1, 1, 1}, {2, 0, 0, 0}, {-1, 0, -1, 0}}),
                 Matrix{{5, 1, -2}, {1, 0, 0}}, tolerance);
}

TEST_CASE("02.2 scaled_scores: two components divide by 1.41421…, which is not a whole number") {
    expect_close(graded::scaled_scores({{1, 1}, {0, 2}, {3, 0}}, {{1, 1}, {3, -1}, {0, 4}, {1, 0}}),
                 Matrix(Matrix{{2, 2, 4, 1}, {2, -2, 8, 0}, {3, 9, 0, 3}} / std::sqrt(2.0)),
                 tolerance);
}

TEST_CASE("02.2 scaled_scores: one component changes nothing") {
    expect_close(graded::scaled_scores({{2}, {-3}}, {{1}, {5}, {-4}}),
                 Matrix{{2, 10, -8}, {-3, -15, 12}}, tolerance);
}

TEST_CASE("02.2 scaled_scores: agrees with PyTorch") {
    expect_close(graded::scaled_scores(support::golden("scores/Q"), support::golden("scores/K")),
                 support::golden("scores/scaled"), tolerance);
}

TEST_CASE("02.2 scaled_scores: vectors without components are refused: 0 / √0 is not a score") {
    const Matrix Q = xt::zeros<double>({2, 0}), K = xt::zeros<double>({3, 0});
    judge::expect_invalid_argument(graded::scaled_scores.attempt(Q, K),
                                   {judge::sizes(Q), judge::sizes(K)});
}

PROPERTIES("02.2 scaled_scores", scaled_scores)

TEST_CASE("02.2 scaled_scores: short and long vectors, too") {
    const Matrix Q{{1, -2, 3}, {0.5, 4, -1}}, K{{2, 1, -1}, {3, 0.25, 2}};
    for (const double length : {1e-100, 1e-30, 1e-6, 50.0, 1e6, 1e30, 1e100}) {
        const Matrix q = length * Q, k = length * K;
        expect_close(graded::scaled_scores(q, k), oracle::scaled_scores(q, k), tolerance);
    }
}

} // namespace of_scaled_scores
