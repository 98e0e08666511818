#include "seq2seq/trainer.hpp"

#include "examples.hpp"
#include "seq2seq/evaluate.hpp"
#include "support/check_close.hpp"

using namespace seq2seq;

namespace {

constexpr ModelSizes sizes{40, 30, 12, 17, 16};

} // namespace

TEST_CASE("trainer: a small corpus is learned by heart") {
    const auto examples = random_examples(8, 5, 40, 30);
    Model<float> model(sizes, scaled_dot_product<float>(), 1);
    Workers workers(2);
    TrainOptions options;
    options.dropout = 0;
    options.learning_rate = 1e-2F;
    Trainer trainer(model, workers, options);
    for (int i = 0; i < 150; ++i) {
        trainer.step(examples, {0, 1, 2, 3, 4, 5, 6, 7});
    }
    CHECK(mean_loss(model, workers, examples, 3) < 0.1);
    const auto translations = translate(model, workers, examples, 3);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        Ids words = translations[i].words;
        words.push_back(Vocabulary::end);
        CHECK(words == examples[i].target);
        CHECK(attention::shape_text(translations[i].weights) ==
              "(" + std::to_string(words.size()) + ", " +
                  std::to_string(examples[i].source.size()) + ")");
    }
    const auto weights = attention_weights(model, workers, examples, 3);
    for (std::size_t i = 0; i < examples.size(); ++i) { // the translation is the expected one
        support::check_close(weights[i], translations[i].weights, {1e-4, 1e-5});
    }
}

TEST_CASE("translate: a sentence that does not end is cut off where it would be alone") {
    Workers workers(2);
    bool is_cut = false;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto examples = random_examples(6, 9, 40, 30);
        const Model<float> model(sizes, additive<float>(), seed); // has learned no end
        const auto together = translate(model, workers, examples);
        for (std::size_t i = 0; i < examples.size(); ++i) {
            const Translation alone = translate(model, workers, {examples[i]})[0];
            CHECK(together[i].words == alone.words);
            CHECK(together[i].weights.shape() == alone.weights.shape());
            is_cut = is_cut || alone.words.size() == 2 * examples[i].source.size() + 8;
        }
    }
    CHECK(is_cut);
}
