// 03.2 softmax_rows

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_softmax_rows {

using namespace proof;

const auto softmax_rows = Domain(graded::softmax_rows, oracle::softmax_rows<double>,
                                 {{"scores", Kind::scores, "n_queries x n_keys"}}, in_double);

TEST_CASE("03.2 softmax_rows: two queries, three keys, small enough to do by hand") {
    expect_close(graded::softmax_rows({{0, std::log(2.0), std::log(3.0)}, {0, 0, 0}}),
                 Matrix{{1.0 / 6, 1.0 / 3, 1.0 / 2}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}, in_double);
}

TEST_CASE("03.2 softmax_rows: a single score in a row gets weight 1") {
    expect_close(graded::softmax_rows({{-3.0}, {0.0}, {2.0}}), Matrix{{1.0}, {1.0}, {1.0}},
                 {1e-15, 0});
}

TEST_CASE("03.2 softmax_rows: agrees with PyTorch") {
    expect_close(graded::softmax_rows(golden("softmax/scores")), golden("softmax/rows"), in_double);
}

PROPERTIES("03.2 softmax_rows", softmax_rows)

} // namespace of_softmax_rows
