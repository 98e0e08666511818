// 09.1 split_heads and merge_heads

#include "exports.hpp"
#include "refused_sizes.hpp"
#include "support/oracle_heads.hpp"
#include "support/proof.hpp"

namespace of_heads {

using namespace proof;

const auto split_heads =
    Domain(graded::split_heads, oracle::split_heads,
           {{"X", Kind::array, "n x heads*d"}, {"n_heads", Kind::count, "heads"}}, exact)
        .scaled({{"X", ""}});
const auto merge_heads = Domain(graded::merge_heads, oracle::merge_heads,
                                {{"heads", Kind::array, "heads x n x d"}}, exact)
                             .scaled({{"heads", ""}});

// Four positions, three heads of two components.
const Matrix side_by_side{{0, 1, 2, 3, 4, 5},
                          {10, 11, 12, 13, 14, 15},
                          {20, 21, 22, 23, 24, 25},
                          {30, 31, 32, 33, 34, 35}};
const Tensor3 apart{{{0, 1}, {10, 11}, {20, 21}, {30, 31}},
                    {{2, 3}, {12, 13}, {22, 23}, {32, 33}},
                    {{4, 5}, {14, 15}, {24, 25}, {34, 35}}};

TEST_CASE("09.1 split_heads: four positions of six columns, in three heads") {
    expect_close(graded::split_heads(side_by_side, 3), apart, exact);
}

TEST_CASE("09.1 split_heads: the same columns in two heads") {
    expect_close(graded::split_heads(side_by_side, 2),
                 Tensor3{{{0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32}},
                         {{3, 4, 5}, {13, 14, 15}, {23, 24, 25}, {33, 34, 35}}},
                 exact);
}

PROPERTIES("09.1 split_heads", split_heads)

TEST_CASE("09.1 split_heads: heads that do not divide the columns are refused") {
    for (const std::size_t n_heads : {0U, 3U, 5U, 16U}) {
        const Matrix X = xt::ones<double>({std::size_t{2}, std::size_t{8}});
        expect_refused_naming(graded::split_heads.attempt(X, n_heads),
                              "n_heads = " + std::to_string(n_heads), n_heads, {8});
    }
}

TEST_CASE("09.1 merge_heads: three heads of two columns are six columns") {
    expect_close(graded::merge_heads(apart), side_by_side, exact);
}

PROPERTIES("09.1 merge_heads", merge_heads)

} // namespace of_heads
