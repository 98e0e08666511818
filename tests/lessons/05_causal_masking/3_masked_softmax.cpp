// 05.3 masked_softmax

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_masked_softmax {

using namespace proof;

const auto masked_softmax = Domain(graded::masked_softmax, oracle::masked_softmax<double>,
                                   {{"scores", Kind::scores, "n_queries x n_keys"},
                                    {"mask", Kind::mask, "n_queries x n_keys"}},
                                   in_double)
                                .with_exact_zeros();

TEST_CASE("05.3 masked_softmax: two queries, three keys, small enough to do by hand") {
    expect_close(graded::masked_softmax({{0, std::log(2.0), std::log(3.0)}, {1, -2, 0.5}},
                                        {{true, true, false}, {false, true, false}}),
                 Matrix{{1.0 / 3, 2.0 / 3, 0}, {0, 1, 0}}, in_double);
}

TEST_CASE("05.3 masked_softmax: a row in which everything is blocked is 0, the others are not") {
    expect_close(
        graded::masked_softmax({{2, 1, 0}, {1, 1, 1}}, {{false, false, false}, {true, true, true}}),
        Matrix{{0, 0, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}, in_double);
}

TEST_CASE("05.3 masked_softmax: a blocked score of 1000 has no influence") {
    expect_close(graded::masked_softmax({{1000, 1, 1}}, {{false, true, true}}),
                 Matrix{{0, 0.5, 0.5}}, in_double);
}

PROPERTIES("05.3 masked_softmax", masked_softmax)

} // namespace of_masked_softmax
