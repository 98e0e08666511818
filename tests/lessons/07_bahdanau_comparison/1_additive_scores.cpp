// 07.1 additive_scores

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_additive_scores {

using namespace proof;

const auto additive_scores =
    Domain(graded::additive_scores, oracle::additive_scores,
           {{"S", Kind::array, "n_queries x d_s"},
            {"H", Kind::array, "n_keys x d_h"},
            {"W_s", Kind::array, "d_s x d_a"},
            {"W_h", Kind::array, "d_h x d_a"},
            {"v", Kind::array, "d_a"}},
           sums_in_double)
        .scaled({{"S", "W_s"}, {"H", "W_h"}, {"v", ""}, {"S", ""}, {"H", ""}});

const double ln_2 = std::log(2.0), ln_3 = std::log(3.0);

TEST_CASE("07.1 additive_scores: the example of the page: one state, three keys") {
    const Matrix eye{{1, 0}, {0, 1}};
    const double of_1 = std::tanh(1.0), of_2 = std::tanh(2.0);
    expect_close(graded::additive_scores({{1, 0}}, {{1, 0}, {0, 1}, {0.5, 0.5}}, eye, eye, {1, -1}),
                 Matrix{{of_2, of_1 - of_1, std::tanh(1.5) - std::tanh(0.5)}}, {1e-10, 1e-15});
}

TEST_CASE("07.1 additive_scores: two states and two keys by hand, with tanh(½ ln 3) = 1/2, "
          "tanh(ln 3) = 4/5 and tanh(ln 2) = 3/5") {
    expect_close(graded::additive_scores({{0}, {1}}, {{0}, {1}}, {{ln_3 / 2, 0}},
                                         {{ln_3 / 2, ln_2}}, {10, -10}),
                 Matrix{{0, -1}, {5, 2}}, {1e-10, 1e-14});
}

PROPERTIES("07.1 additive_scores", additive_scores)

} // namespace of_additive_scores
