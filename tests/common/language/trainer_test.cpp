#include "language/trainer.hpp"

#include "common/refused.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

using namespace language;
using support::TemporaryFolder;

namespace {

const ModelSizes tiny{.n_characters = 0, .context = 16, .d = 16, .n_heads = 2, .n_layers = 1};

TrainOptions quick() {
    TrainOptions options;
    options.n_steps = 30;
    options.n_texts = 5;
    options.warm_up = 5;
    options.evaluate_every = 10;
    options.evaluation_texts = 7;
    options.learning_rate = 1e-2F;
    return options;
}

struct Run {
    std::vector<float> weights;
    std::vector<Evaluation> evaluations;
};

Run train(const TrainOptions& options, std::size_t n_threads = 2,
          const std::function<void(const Progress&)>& progress = {},
          const std::atomic<bool>* stop = nullptr) {
    const Text text = split_text(make_stories(20000, 1), tiny.context);
    ModelSizes sizes = tiny;
    sizes.n_characters = text.characters.size();
    Workers workers(n_threads);
    Model<float> model(sizes, parts<float>(), options.seed);
    Trainer trainer(model, workers, text, options);
    trainer.run(progress, stop);
    return {training::values_of(model.parameters()), trainer.evaluations()};
}

} // namespace

TEST_CASE("Trainer: learns, reports each step, and the seed decides everything") {
    std::size_t n_reports = 0, n_evaluated = 0;
    const Run run = train(quick(), 2, [&](const Progress& progress) {
        ++n_reports;
        n_evaluated += progress.evaluated ? 1 : 0;
        CHECK(progress.step == n_reports);
        CHECK(progress.n_steps == 30);
        CHECK(progress.loss > 0);
        CHECK(progress.seconds_left >= 0);
        CHECK((progress.valid_loss > 0) == progress.evaluated);
    });
    CHECK(n_reports == 30);
    CHECK(n_evaluated == 3);
    REQUIRE(run.evaluations.size() == 3);
    CHECK(run.evaluations[2].step == 30);
    CHECK(run.evaluations[2].valid_loss < run.evaluations[0].valid_loss);
    CHECK(run.evaluations[0].train_loss > run.evaluations[2].train_loss);
    CHECK(train(quick()).weights == run.weights);
    TrainOptions other = quick();
    other.seed = 2;
    CHECK(train(other).weights != run.weights);
}

TEST_CASE("Trainer: interrupted and resumed, it ends with the very same weights") {
    const TemporaryFolder folder;
    const Run whole = train(quick());
    for (const std::size_t last : {3U, 10U, 29U}) {
        TrainOptions options = quick();
        options.checkpoint = folder / std::to_string(last);
        std::atomic<bool> stop = false;
        CHECK_THROWS_WITH_AS(
            train(
                options, 2, [&](const Progress& progress) { stop = progress.step == last; }, &stop),
            "training was interrupted; --resume continues where it stopped", training::Interrupted);
        options.resume = true;
        const Run rest = train(options);
        CHECK(rest.weights == whole.weights);
        REQUIRE(rest.evaluations.size() == whole.evaluations.size());
        for (std::size_t i = 0; i < rest.evaluations.size(); ++i) {
            CHECK(rest.evaluations[i].step == whole.evaluations[i].step);
            CHECK(rest.evaluations[i].train_loss == whole.evaluations[i].train_loss);
            CHECK(rest.evaluations[i].valid_loss == whole.evaluations[i].valid_loss);
        }
        std::size_t steps = 0; // a finished training has nothing left to do
        CHECK(train(options, 2, [&](const Progress&) { ++steps; }).weights == whole.weights);
        CHECK(steps == 0);
    }
}

TEST_CASE("rate_at: up in a straight line, down along a cosine") {
    const TrainOptions options;
    CHECK(rate_at(0, options) == doctest::Approx(2e-3 / 101));
    CHECK(rate_at(99, options) == doctest::Approx(2e-3 * 100 / 101));
    CHECK(rate_at(100, options) == doctest::Approx(2e-3));
    CHECK(rate_at(1050, options) == doctest::Approx(1.05e-3));
    CHECK(rate_at(2000, options) == doctest::Approx(1e-4));
}
