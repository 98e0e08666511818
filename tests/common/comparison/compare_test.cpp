#include "comparison/compare.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace comparison;
using attention::Matrix;

TEST_CASE("compare_attention: equal weights agree, and opposite ones are ln 2 apart") {
    const Matrix A{{1, 0}, {0.5, 0.5}};
    const Matrix B{{0, 1}, {0.5, 0.5}};
    CHECK(compare_attention({A}, {A}).argmax_agreement == 1);
    CHECK(compare_attention({A}, {A}).js_divergence == 0);
    CHECK(compare_attention({A}, {B}).argmax_agreement == 0.5);
    CHECK(compare_attention({A}, {B}).js_divergence ==
          doctest::Approx(std::log(2.0) / 2).epsilon(1e-14));
}

TEST_CASE("alignment_accuracy: rows without gold do not count, and one of several words will do") {
    const std::vector<Matrix> weights{{{0.1, 0.9, 0}, {0.8, 0.2, 0}, {0.2, 0.2, 0.6}}};
    SentencePair pair{{"a", "b"}, {"x", "y"}, {{0, 1}, {1}}};
    CHECK(alignment_accuracy(weights, {pair}) == 0.5);
    pair.alignment[1] = {};
    CHECK(alignment_accuracy(weights, {pair}) == 1);
    pair.alignment.clear();
    CHECK(std::isnan(alignment_accuracy(weights, {pair})));
}

TEST_CASE("mean_entropy: the mean over all rows of all sentences, nats") {
    CHECK(mean_entropy({Matrix{{1, 0}, {0.5, 0.5}}, Matrix{{0.5, 0.5}}}) ==
          doctest::Approx(std::log(2.0) * 2 / 3).epsilon(1e-14));
}
