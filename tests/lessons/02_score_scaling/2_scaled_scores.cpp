// 02.2 scaled_scores

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_scaled_scores {

using namespace proof;

const auto scaled_scores =
    Domain(graded::scaled_scores, oracle::scaled_scores<double>,
           {{"Q", Kind::array, "n_queries x d_k"}, {"K", Kind::array, "n_keys x d_k"}},
           sums_in_double)
        .large("d_k", 20'011);

TEST_CASE("02.2 scaled_scores: four components halve the scores, by hand") {
    expect_close(graded::scaled_scores({{1, 2, 3, 4}, {0, 2, 0, 0}},
                                       {{1, 1, 1, 1}, {2, 0, 0, 0}, {-1, 0, -1, 0}}),
                 Matrix{{5, 1, -2}, {1, 0, 0}}, sums_in_double);
}

TEST_CASE("02.2 scaled_scores: two components divide by 1.41421…, which is not a whole number") {
    expect_close(graded::scaled_scores({{1, 1}, {0, 2}, {3, 0}}, {{1, 1}, {3, -1}, {0, 4}, {1, 0}}),
                 Matrix(Matrix{{2, 2, 4, 1}, {2, -2, 8, 0}, {3, 9, 0, 3}} / std::sqrt(2.0)),
                 sums_in_double);
}

TEST_CASE("02.2 scaled_scores: one component changes nothing") {
    expect_close(graded::scaled_scores({{2}, {-3}}, {{1}, {5}, {-4}}),
                 Matrix{{2, 10, -8}, {-3, -15, 12}}, sums_in_double);
}

TEST_CASE("02.2 scaled_scores: agrees with PyTorch") {
    expect_close(graded::scaled_scores(golden("scores/Q"), golden("scores/K")),
                 golden("scores/scaled"), sums_in_double);
}

TEST_CASE("02.2 scaled_scores: vectors without components are refused: 0 / √0 is not a score") {
    const Matrix Q = xt::zeros<double>({2, 0}), K = xt::zeros<double>({3, 0});
    expect_invalid_argument(graded::scaled_scores.attempt(Q, K), {sizes(Q), sizes(K)});
}

PROPERTIES("02.2 scaled_scores", scaled_scores)

TEST_CASE("02.2 scaled_scores: short and long vectors, too") {
    const Matrix Q{{1, -2, 3}, {0.5, 4, -1}}, K{{2, 1, -1}, {3, 0.25, 2}};
    for (const double length : {1e-100, 1e-30, 1e-6, 50.0, 1e6, 1e30, 1e100}) {
        const Matrix q = length * Q, k = length * K;
        expect_close(graded::scaled_scores(q, k), oracle::scaled_scores(q, k), sums_in_double);
    }
}

} // namespace of_scaled_scores
