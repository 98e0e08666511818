// 04.1 aggregate

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_aggregate {

using namespace proof;

const auto aggregate =
    Domain(graded::aggregate, oracle::matmul<double>,
           {{"weights", Kind::weights, "n_queries x n_keys"}, {"V", Kind::array, "n_keys x d_v"}},
           normwise)
        .scaled({{"V", ""}})
        .large("d_v", 70'001);

TEST_CASE("04.1 aggregate: two queries and three values, small enough to do by hand") {
    expect_close(graded::aggregate({{0.5, 0.25, 0.25}, {0, 1, 0}},
                                   {{4, 0, 8, 1}, {0, 4, 0, 1}, {8, -4, 0, 1}}),
                 Matrix{{4, 0, 4, 1}, {0, 4, 0, 1}}, normwise);
}

TEST_CASE("04.1 aggregate: a weight of 1 returns the value unchanged") {
    expect_close(
        graded::aggregate({{0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, {{1, 2}, {3, 4}, {5, 6}}),
        Matrix{{5, 6}, {1, 2}, {5, 6}, {3, 4}}, normwise);
}

TEST_CASE("04.1 aggregate: agrees with PyTorch") {
    const auto saved = [](const std::string& name) -> Matrix {
        return xt::view(golden_tensor3("attention/" + name), 0, xt::all(), xt::all());
    };
    expect_close(graded::aggregate(saved("none_weights"), saved("V")), saved("none_output"),
                 normwise);
}

PROPERTIES("04.1 aggregate", aggregate)

} // namespace of_aggregate
