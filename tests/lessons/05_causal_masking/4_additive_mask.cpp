// 05.4 additive_mask

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_additive_mask {

using namespace proof;

const auto additive_mask = Domain(graded::additive_mask, oracle::additive_mask,
                                  {{"mask", Kind::mask, "n_queries x n_keys"}}, exact)
                               .refuses_nothing();

TEST_CASE("05.4 additive_mask: 0 where allowed, −∞ where blocked") {
    expect_close(graded::additive_mask({{true, true, false}, {false, true, false}}),
                 Matrix{{0, 0, -infinity}, {-infinity, 0, -infinity}}, exact);
}

TEST_CASE("05.4 additive_mask: the causal mask has −∞ above the diagonal") {
    expect_close(graded::additive_mask(oracle::causal_mask(3)),
                 Matrix{{0, -infinity, -infinity}, {0, 0, -infinity}, {0, 0, 0}}, exact);
}

PROPERTIES("05.4 additive_mask", additive_mask)

} // namespace of_additive_mask
