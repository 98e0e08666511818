#include "comparison/removal.hpp"

#include "comparison/experiment.hpp"

#include <doctest/doctest.h>

using namespace comparison;

TEST_CASE("try_removals: every word that a translated word looks at most, once") {
    // A model that has learned nothing, whose arms all translate at random but always alike.
    const Model<float> model({12, 12, 4, 4, 4}, additive<float>(), 3);
    Workers workers(1);
    const std::vector<Example> examples{{{4, 5, 6, Vocabulary::end}, {4, Vocabulary::end}},
                                        {{7, 8, Vocabulary::end}, {5, Vocabulary::end}},
                                        {{9, Vocabulary::end}, {5, Vocabulary::end}}};
    const Removals removals = try_removals(model, workers, examples, 3);
    CHECK(removals.n >= 1); // of the last sentence nothing can be removed
    CHECK(removals.n <= 5);
    CHECK(removals.n_unchanged <= removals.n);
    CHECK(!removals.example); // none of them is right
    CHECK(try_removals(model, workers, examples, 1).n <= 3);
    CHECK(try_removals(model, workers, {examples[2]}, 1).n == 0);
}
