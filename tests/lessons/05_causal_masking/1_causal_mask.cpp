// 05.1 causal_mask

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_causal_mask {

using namespace proof;

const auto causal_mask =
    Domain(graded::causal_mask, oracle::causal_mask, {{"n", Kind::count, "n"}}, exact)
        .large("n", 1031)
        .refuses_nothing();

TEST_CASE("05.1 causal_mask: four positions, the first sees one, the last sees four") {
    expect_close(graded::causal_mask(4), Mask{{true, false, false, false},
                                              {true, true, false, false},
                                              {true, true, true, false},
                                              {true, true, true, true}});
}

TEST_CASE("05.1 causal_mask: a single position sees itself") {
    expect_close(graded::causal_mask(1), Mask{{true}});
}

PROPERTIES("05.1 causal_mask", causal_mask)

} // namespace of_causal_mask
