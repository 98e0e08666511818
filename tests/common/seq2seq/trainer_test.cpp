#include "seq2seq/trainer.hpp"

#include "examples.hpp"
#include "seq2seq/evaluate.hpp"
#include "support/check_close.hpp"

#include <sstream>
#include <stdexcept>

using namespace seq2seq;

namespace {

constexpr ModelSizes sizes{40, 30, 12, 17, 16};

struct Run {
    Model<float> model;
    Workers workers;
    Trainer trainer;
    explicit Run(std::size_t n_threads)
        : model(sizes, additive<float>(), 1), workers(n_threads),
          trainer(model, workers, TrainOptions()) {}
};

bool same_weights(const Model<float>& a, const Model<float>& b) {
    for (std::size_t p = 0; p < a.parameters().size(); ++p) {
        if (a.parameters()[p].value != b.parameters()[p].value) {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("trainer: the same threads give the same weights, bit for bit") {
    const auto examples = random_examples(64, 7, 40, 30);
    const auto batches = make_epoch(examples, 8, 1, 0);
    for (const std::size_t n_threads : {1U, 2U, 3U}) {
        Run first(n_threads), second(n_threads);
        for (const Ids& batch : batches) {
            first.trainer.step(examples, batch);
            second.trainer.step(examples, batch);
        }
        CHECK(same_weights(first.model, second.model));
    }
}

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

TEST_CASE("trainer: saved and loaded, it continues bit for bit") {
    const auto examples = random_examples(64, 7, 40, 30);
    const auto batches = make_epoch(examples, 8, 1, 0);
    Run whole(2), first(2), second(2);
    for (std::size_t i = 0; i < batches.size(); ++i) {
        whole.trainer.step(examples, batches[i]);
        if (i < 3) {
            first.trainer.step(examples, batches[i]);
        }
    }
    std::stringstream file;
    first.trainer.save(file);
    second.trainer.load(file);
    CHECK(second.trainer.n_steps() == 3);
    for (std::size_t i = 3; i < batches.size(); ++i) {
        second.trainer.step(examples, batches[i]);
    }
    CHECK(same_weights(whole.model, second.model));
    std::stringstream cut(file.str().substr(0, 1000));
    CHECK_THROWS_WITH_AS(second.trainer.load(cut),
                         "checkpoint: the file ends too early, or is of another model",
                         std::runtime_error);
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
