#include "comparison/removal.hpp"

#include "comparison/experiment.hpp"

#include <doctest/doctest.h>

using namespace comparison;

TEST_CASE("try_removals: every word that a translated word looks at most, once") {
    // A model that has learned nothing: its arms translate at random, but always alike.
    const Model<float> model({12, 12, 4, 4, 4}, additive<float>(), 3);
    Workers workers(1);
    const std::vector<Example> examples{{{4, 5, 6, Vocabulary::end}, {4, Vocabulary::end}},
                                        {{7, 8, Vocabulary::end}, {5, Vocabulary::end}},
                                        {{9, Vocabulary::end}, {5, Vocabulary::end}}};
    const Removals removals = try_removals(model, workers, examples, 3);
    CHECK(removals.deleted.n >= 1); // of the last sentence nothing can be removed
    CHECK(removals.deleted.n <= 5);
    CHECK(removals.deleted.n_unchanged <= removals.deleted.n);
    CHECK(removals.zeroed.n == removals.deleted.n); // no weight is all of its row
    CHECK(removals.zeroed.n_unchanged <= removals.zeroed.n_same_word);
    CHECK(!removals.example); // none of them is right
    CHECK(try_removals(model, workers, examples, 1).deleted.n <= 3);
    CHECK(try_removals(model, workers, {examples[2]}, 1).deleted.n == 0);
}

namespace {

// A score that is 0 everywhere: all weights of a row are equal, so each is as good as another.
Scorer<float> indifferent() {
    return {"indifferent", false, [](const auto& states, const auto& keys, const auto&) {
                return dot_scores(states, keys, 0.0F);
            }};
}

const std::vector<Example> two_sentences{{{4, 5, 6, 7, Vocabulary::end}, {4, Vocabulary::end}},
                                         {{7, 8, 9, Vocabulary::end}, {5, Vocabulary::end}}};

} // namespace

TEST_CASE("try_removals: another weight is zeroed if it is nearly as large") {
    Workers workers(1);
    const Model<float> even({12, 12, 4, 4, 4}, indifferent(), 3);
    const Removals removals = try_removals(even, workers, two_sentences, 2);
    CHECK(removals.deleted.n == 2); // of equal weights the first is the largest
    CHECK(removals.largest_of_near.n == 2);
    CHECK(removals.other_of_near.n == 2);
    CHECK(removals.zeroed.n_unchanged == removals.largest_of_near.n_unchanged);
}

TEST_CASE(
    "try_removals: zeroing changes nothing in a decoder that does not read the context vector") {
    Workers workers(1);
    const auto zeroed = [&](bool reads_context) {
        Outcome all;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Model<float> model({12, 12, 4, 4, 4}, additive<float>(), seed);
            for (auto& parameter : model.parameters()) {
                if (parameter.name == "decoder_W_c" || parameter.name == "pre_W_c") {
                    parameter.value *= reads_context ? 20.0F : 0.0F;
                }
            }
            const Outcome one = try_removals(model, workers, two_sentences, 2).zeroed;
            all.n += one.n;
            all.n_unchanged += one.n_unchanged;
            all.n_same_word += one.n_same_word;
        }
        return all;
    };
    const Outcome deaf = zeroed(false), all_ears = zeroed(true);
    CHECK(deaf.n > 0);
    CHECK(deaf.n_unchanged == deaf.n);
    CHECK(deaf.n_same_word == deaf.n);
    CHECK(all_ears.n > 0);
    CHECK(all_ears.n_unchanged < all_ears.n);
    CHECK(all_ears.n_same_word < all_ears.n);
}
