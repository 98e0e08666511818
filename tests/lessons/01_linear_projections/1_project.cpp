// 01.1 project

#include <doctest/doctest.h>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

namespace of_project {

using domain::Kind;
using judge::expect_close;
using lesson::Matrix;

// If products cancel, a sum is as exact as its largest terms.
constexpr judge::Tolerance tolerance{1e-10, 1e-300, 1e-10};

const domain::Domain project =
    domain::Domain("project", domain::of<decltype(lesson::project)>(oracle::matmul<double>),
                   {{"X", Kind::array, "n x d_model"}, {"W", Kind::array, "d_model x d_out"}},
                   tolerance)
        .scaled({{"X", ""}, {"W", ""}, {"X", "W"}})
        .large("d_model", 2063);

TEST_CASE("01.1 project: one position, two components to three") {
    expect_close(graded::project({{1, 2}}, {{1, 0, 2}, {0, 1, 3}}), Matrix{{1, 2, 8}}, tolerance);
}

TEST_CASE("01.1 project: two positions with a square weight, small enough to do by hand") {
    expect_close(graded::project({{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}), Matrix{{19, 22}, {43, 50}},
                 tolerance);
}

TEST_CASE("01.1 project: agrees with PyTorch") {
    expect_close(
        graded::project(support::golden("projections/X"), support::golden("projections/W_v")),
        support::golden("projections/V"), tolerance);
}

PROPERTIES("01.1 project", project)

} // namespace of_project
