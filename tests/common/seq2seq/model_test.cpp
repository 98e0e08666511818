#include "seq2seq/model.hpp"

#include "examples.hpp"
#include "support/check_close.hpp"

using namespace seq2seq;
using support::check_close;

namespace {

constexpr ModelSizes small{11, 9, 3, 4, 5};

} // namespace

TEST_CASE("model: a padded batch gives each sentence what it gets alone, gradients included") {
    const auto examples = random_examples(4, 6, small.source_words, small.target_words);
    const Model<double> model(small, additive<double>(), 1);
    const auto run = [&](const std::vector<Ids>& batches) {
        Gradients<double> gradients = training::make_gradients(model.parameters());
        double loss = 0;
        for (const Ids& sentences : batches) {
            Forward<double> settings;
            settings.gradients = &gradients;
            autograd::DoubleTape tape;
            const auto result = model.forward(tape, make_batch(examples, sentences), settings);
            loss += result.loss.data()();
            tape.backward(result.loss);
        }
        return std::pair(loss, std::move(gradients));
    };
    const auto [loss, gradients] = run({{0, 1, 2, 3}});
    const auto [loss_alone, gradients_alone] = run({{0}, {1}, {2}, {3}});
    CHECK(loss == doctest::Approx(loss_alone).epsilon(1e-13));
    for (std::size_t p = 0; p < gradients.size(); ++p) {
        CAPTURE(model.parameters()[p].name);
        check_close(gradients[p].array, gradients_alone[p].array, {1e-11, 1e-13});
    }
    // Greedy translations and their attention, too.
    const auto together = model.translate(make_batch(examples, {0, 1, 2, 3}), 12);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const Translation alone = model.translate(make_batch(examples, {i}), 12)[0];
        CHECK(together[i].words == alone.words);
        check_close(together[i].weights, alone.weights, {1e-12, 1e-14});
    }
}

TEST_CASE("model: with a zeroed weight the others of its row are divided by their sum") {
    const auto examples = random_examples(4, 6, small.source_words, small.target_words);
    const Model<double> model(small, additive<double>(), 1);
    const Batch batch = make_batch(examples, {0, 1, 2, 3});
    const auto before = model.translate(batch, 5);
    const std::vector<WeightAt> zeroed{{0, 0}, {2, 1}, {1, 0}, {100, 0}};
    const auto after = model.translate(batch, 5, zeroed);
    bool is_different = false;
    for (std::size_t b = 0; b < batch.size; ++b) {
        const std::size_t step = zeroed[b].target_word, j = zeroed[b].source_word;
        const std::size_t steps = before[b].weights.shape(0);
        for (std::size_t t = 0; t < std::min(step, steps); ++t) { // as before until then
            for (std::size_t i = 0; i < batch.source_lengths[b]; ++i) {
                CHECK(after[b].weights(t, i) == before[b].weights(t, i));
            }
        }
        if (step >= steps) {
            CHECK(after[b].words == before[b].words);
            continue;
        }
        const double rest = 1 - before[b].weights(step, j);
        for (std::size_t i = 0; i < batch.source_lengths[b]; ++i) {
            const double expected = i == j ? 0 : before[b].weights(step, i) / rest;
            CHECK(after[b].weights(step, i) == doctest::Approx(expected).epsilon(1e-12));
        }
        if (step + 1 < std::min(steps, after[b].weights.shape(0))) { // the state has changed
            is_different =
                is_different || after[b].weights(step + 1, 0) != before[b].weights(step + 1, 0);
        }
    }
    CHECK(is_different);
}

TEST_CASE("model: models of other scores start with the same weights wherever they share") {
    const Model<float> first(small, additive<float>(), 7);
    const Model<float> second(small, dot_product<float>(), 7);
    CHECK(first.parameters().size() == second.parameters().size() + 1);
    for (std::size_t p = 0; p < second.parameters().size(); ++p) {
        CHECK(first.parameters()[p].name == second.parameters()[p].name);
        CHECK(first.parameters()[p].value == second.parameters()[p].value);
    }
    CHECK(first.parameters().back().name == "score_v");
    CHECK(training::n_numbers(first.parameters()) ==
          training::n_numbers(second.parameters()) + small.attention);
}
