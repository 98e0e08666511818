// 05.1 causal_mask

#include <doctest/doctest.h>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/oracle_attention.hpp"

namespace of_causal_mask {

using domain::Kind;
using judge::expect_close;
using lesson::Mask;

const domain::Domain causal_mask =
    domain::Domain("causal_mask", domain::of<decltype(lesson::causal_mask)>(oracle::causal_mask),
                   {{"n", Kind::count, "n"}}, {0, 0})
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
