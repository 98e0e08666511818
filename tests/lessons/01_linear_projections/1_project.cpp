// 01.1 project

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_project {

using namespace proof;

const auto project =
    Domain(graded::project, oracle::matmul<double>,
           {{"X", Kind::array, "n x d_model"}, {"W", Kind::array, "d_model x d_out"}},
           sums_in_double)
        .scaled({{"X", ""}, {"W", ""}, {"X", "W"}})
        .large("d_model", 2063);

TEST_CASE("01.1 project: one position, two components to three") {
    expect_close(graded::project({{1, 2}}, {{1, 0, 2}, {0, 1, 3}}), Matrix{{1, 2, 8}},
                 sums_in_double);
}

TEST_CASE("01.1 project: two positions with a square weight, small enough to do by hand") {
    expect_close(graded::project({{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}), Matrix{{19, 22}, {43, 50}},
                 sums_in_double);
}

TEST_CASE("01.1 project: agrees with PyTorch") {
    expect_close(graded::project(golden("projections/X"), golden("projections/W_v")),
                 golden("projections/V"), sums_in_double);
}

PROPERTIES("01.1 project", project)

} // namespace of_project
