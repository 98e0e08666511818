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

TEST_CASE("trainer: Adam's steps are those of the paper, rows without a gradient included") {
    // One weight of an embedding row that occurs in the first batch only, and its gradients.
    const std::vector<Example> examples{{{5, 3}, {6, 3}}, {{7, 3}, {8, 3}}};
    Model<float> model(sizes, additive<float>(), 1);
    Workers workers(1);
    TrainOptions options;
    options.dropout = 0;
    options.largest_gradient = 1e9F;
    Trainer trainer(model, workers, options);
    Gradients<float> gradients = training::make_gradients(model.parameters());
    Forward<float> settings;
    settings.gradients = &gradients;
    autograd::Tape tape;
    tape.backward(model.forward(tape, make_batch(examples, {0}), settings).loss, 0.5F);
    REQUIRE(model.parameters()[0].name == "source_embedding");
    const auto weight = [&] { return static_cast<double>(model.parameters()[0].value(5, 2)); };
    const double g = static_cast<double>(gradients[0].array(5, 2));
    double expected = weight(), m = 0, v = 0;
    for (int t = 1; t <= 3; ++t) {
        const double gradient = t == 1 ? g : 0;
        m = 0.9 * m + 0.1 * gradient;
        v = 0.999 * v + 0.001 * gradient * gradient;
        expected -=
            1e-3 * m / (1 - std::pow(0.9, t)) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
        trainer.step(examples, {t == 1 ? 0U : 1U});
        CHECK(weight() == doctest::Approx(expected).epsilon(1e-6));
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
    for (std::size_t i = 0; i < examples.size(); ++i) { // what was produced is what was to be
        support::check_close(weights[i], translations[i].weights, {1e-4, 1e-5});
    }
}

TEST_CASE("trainer: saved and loaded, it goes on bit for bit") {
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
