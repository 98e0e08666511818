#include "support/golden.hpp"

#include <doctest/doctest.h>
#include <stdexcept>

using namespace support;

TEST_CASE("golden: reads shapes and both precisions") {
    CHECK(attention::shape_text(golden("projections/X")) == "(5, 7)");
    CHECK(attention::shape_text(golden_f("scores/K_float")) == "(11, 13)");
    CHECK(attention::shape_text(golden_vector("softmax/vector")) == "(7,)");
    CHECK(attention::shape_text(golden_bools("masks/mask")) == "(7, 11)");
}

TEST_CASE("golden: rows and columns are in order") {
    const attention::Matrix scores = golden("softmax/large_scores");
    CHECK(scores(3, 0) == 10.0);
    CHECK(scores(4, 1) == -1e4);
    CHECK(scores(6, 4) == 1.0);
}

TEST_CASE("golden: what is not there is named in the error") {
    CHECK_THROWS_WITH_AS(golden("softmax/absent"),
                         "golden softmax/absent is not there as a tensor of rank 2 and 64 bits: "
                         "io error: failed to open a file.",
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(golden_vector("softmax/rows"),
                         "golden softmax/rows is not there as a tensor of rank 1 and 64 bits: "
                         "it has shape (6, 11)",
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(golden_f("softmax/rows"),
                         "golden softmax/rows is not there as a tensor of rank 2 and 32 bits: "
                         "Cast error: formats not matching <f8 vs <f4",
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(golden_bools("masks/scores"),
                         "golden masks/scores is not there as a tensor of bools: "
                         "Cast error: formats not matching <f8 vs |b1",
                         std::runtime_error);
}
