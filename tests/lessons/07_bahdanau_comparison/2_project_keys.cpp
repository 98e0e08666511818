// 07.2 project_keys, additive_scores_from

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_project_keys {

using namespace proof;

const auto project_keys =
    Domain(graded::project_keys, oracle::matmul<double>,
           {{"H", Kind::array, "n_keys x d_h"}, {"W_h", Kind::array, "d_h x d_a"}}, sums_in_double)
        .scaled({{"H", ""}, {"W_h", ""}, {"H", "W_h"}});

const auto additive_scores_from = Domain(graded::additive_scores_from, oracle::additive_scores_from,
                                         {{"S", Kind::array, "n_queries x d_s"},
                                          {"keys", Kind::array, "n_keys x d_a"},
                                          {"W_s", Kind::array, "d_s x d_a"},
                                          {"v", Kind::array, "d_a"}},
                                         sums_in_double)
                                      .scaled({{"S", "W_s"}, {"v", ""}, {"S", ""}, {"keys", ""}});

const double ln_2 = std::log(2.0), ln_3 = std::log(3.0);

TEST_CASE("07.2 project_keys: three keys of two components, small enough to do by hand") {
    expect_close(graded::project_keys({{1, 2}, {3, 4}, {-1, 0}}, {{1, 0, 2}, {0, 10, 1}}),
                 Matrix{{1, 20, 4}, {3, 40, 10}, {-1, 0, -2}}, sums_in_double);
}

TEST_CASE("07.2 additive_scores_from: the scores of 07.1, from its two keys already projected") {
    expect_close(graded::additive_scores_from({{0}, {1}}, {{0, 0}, {ln_3 / 2, ln_2}},
                                              {{ln_3 / 2, 0}}, {10, -10}),
                 Matrix{{0, -1}, {5, 2}}, {1e-10, 1e-14});
}

PROPERTIES("07.2 project_keys", project_keys)

PROPERTIES("07.2 additive_scores_from", additive_scores_from)

} // namespace of_project_keys
