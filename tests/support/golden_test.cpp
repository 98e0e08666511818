#include "support/golden.hpp"

#include <doctest/doctest.h>
#include <stdexcept>

using namespace support;

TEST_CASE("golden: reads shapes, both precisions, and rows and columns in order") {
    CHECK(attention::shape_text(golden_f("scores/K_float")) == "(11, 13)");
    CHECK(attention::shape_text(golden_vector("softmax/vector")) == "(7,)");
    CHECK(attention::shape_text(golden_bools("masks/mask")) == "(7, 11)");
    const attention::Matrix scores = golden("softmax/large_scores");
    CHECK(scores(3, 0) == 10.0);
    CHECK(scores(4, 1) == -1e4);
}

TEST_CASE("golden: a missing tensor is named in the error") {
    CHECK_THROWS_WITH_AS(golden("softmax/absent"), "golden softmax/absent: no such file",
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(golden_vector("softmax/rows"), "golden softmax/rows has shape (6, 11)",
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(golden_f("softmax/rows"), "golden softmax/rows: wanted <f4, got <f8",
                         std::runtime_error);
}
