#include "comparison/bootstrap.hpp"

#include <doctest/doctest.h>

using namespace comparison;

namespace {

// Sentences of six words each, of which the first of every `every` has a wrong word in its middle.
std::vector<Words> with_errors(std::size_t n, std::size_t every) {
    std::vector<Words> all(n, {"a", "b", "c", "d", "e", "f"});
    for (std::size_t i = 0; i < n; i += every) {
        all[i][3] = "x";
    }
    return all;
}

std::vector<Bleu> system_of(std::size_t n, std::size_t every) {
    return sentence_bleus(with_errors(n, every), std::vector<Words>(n, with_errors(2, 2)[1]));
}

} // namespace

TEST_CASE("sentence_bleus: the sums of their counts are those of the corpus") {
    const std::vector<Words> hypotheses = with_errors(7, 3);
    const std::vector<Words> references(7, {"a", "b", "c", "d", "e", "f", "g"});
    const std::vector<Bleu> each = sentence_bleus(hypotheses, references);
    REQUIRE(each.size() == 7);
    CHECK(each[0].matches[0] == 5);
    CHECK(each[1].matches[0] == 6);
    CHECK(corpus_bleu(each) == doctest::Approx(bleu(hypotheses, references).score).epsilon(1e-12));
}

TEST_CASE("paired_bootstrap: a system is better if many sentences say so, not if one does") {
    const Difference many = paired_bootstrap(system_of(200, 50), system_of(200, 2));
    CHECK(many.is_clear());
    CHECK(many.mean > 0);
    CHECK(many.low < many.mean);
    CHECK(many.mean < many.high);
    CHECK(many.mean ==
          doctest::Approx(corpus_bleu(system_of(200, 50)) - corpus_bleu(system_of(200, 2))));
    const Difference turned = paired_bootstrap(system_of(200, 2), system_of(200, 50));
    CHECK(turned.high == doctest::Approx(-many.low));
    CHECK(!paired_bootstrap(system_of(200, 200), system_of(200, 300)).is_clear()); // the same
    std::vector<Bleu> one_more = system_of(200, 20);
    one_more[0] = one_more[1];
    CHECK(!paired_bootstrap(one_more, system_of(200, 20)).is_clear());
}

TEST_CASE(
    "mean_bleu: the mean of several systems, in an interval that shrinks with the sentences") {
    const Difference few = mean_bleu({system_of(20, 3), system_of(20, 4)});
    const Difference many = mean_bleu({system_of(2000, 3), system_of(2000, 4)});
    CHECK(few.mean ==
          doctest::Approx((corpus_bleu(system_of(20, 3)) + corpus_bleu(system_of(20, 4))) / 2));
    CHECK(few.low < few.mean);
    CHECK(few.mean < few.high);
    CHECK(many.high - many.low < (few.high - few.low) / 5); // a tenth
    CHECK(many.high - many.low > (few.high - few.low) / 20);
}
