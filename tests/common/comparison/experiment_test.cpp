#include "common/refused.hpp"
#include "comparison/experiment.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

using namespace comparison;
using support::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Options quick(const fs::path& output) {
    Options options;
    options.embedding = options.hidden = options.attention = 8;
    options.epochs = 2;
    options.grammar.train = 200;
    options.grammar.valid = options.grammar.test = options.grammar.long_test = 20;
    options.n_threads = 2;
    options.arms = {"additive"};
    options.loss_to_reach = 7; // above ln V: reached at once
    options.output = output;
    return options;
}

// Everything but the times that a run took.
void check_same(const ArmResult& a, const ArmResult& b) {
    CHECK(a.curve == b.curve);
    CHECK(a.best_epoch == b.best_epoch);
    REQUIRE(a.epochs.size() == b.epochs.size());
    for (std::size_t i = 0; i < a.epochs.size(); ++i) {
        CHECK(a.epochs[i].train_loss == b.epochs[i].train_loss);
        CHECK(a.epochs[i].valid_loss == b.epochs[i].valid_loss);
    }
    for (std::size_t i = 0; i < a.tests.size(); ++i) {
        CHECK(a.tests[i].hypotheses == b.tests[i].hypotheses);
        CHECK(a.tests[i].weights == b.tests[i].weights);
    }
}

} // namespace

TEST_CASE("experiment: every arm and seed is trained, tested and compared") {
    const TemporaryFolder folder;
    Options options = quick(folder.path());
    options.arms = {};
    options.seeds = {3, 4};
    options.epochs = 3;
    std::size_t batches = 0, epochs = 0;
    const ExperimentResult result =
        run_experiment(options, all_scorers(), [&](const Progress& progress) {
            ++(progress.finished == nullptr ? batches : epochs);
            CHECK(progress.epoch >= 1);
            CHECK(progress.epoch <= 3);
            CHECK(progress.seconds_left >= 0);
        });
    CHECK(batches == 3 * 2 * 3 * 7);
    CHECK(epochs == 3 * 2 * 3);
    REQUIRE(result.arms.size() == 6);
    CHECK(result.pairs.size() == (3 * 2 + 3) * 2); // two arms of one seed, one arm of two seeds
    CHECK(result.pairs[0].most_different.size() == 20);
    for (const ArmResult& arm : result.arms) {
        CHECK(arm.epochs.size() == 3);
        CHECK(arm.epochs[1].valid_loss < arm.epochs[0].valid_loss);
        CHECK(arm.epochs[0].scorer_share > 0);
        CHECK(arm.epochs[0].scorer_share < 1);
        CHECK(arm.steps_to_loss == 20);
        REQUIRE(arm.tests.size() == 2);
        CHECK(arm.tests[1].name == "long");
        CHECK(arm.tests[0].alignment_accuracy >= 0);
        CHECK(arm.tests[0].entropy > 0);
        const auto& pair = result.data.test_sets[0].second[0];
        CHECK(arm.tests[0].weights[0].shape(0) == pair.target.size() + 1);
        CHECK(arm.tests[0].weights[0].shape(1) == pair.source.size() + 1);
        CHECK(arm.tests[0].sentences.size() == 20);
        std::size_t n_sentences = 0, from = 0;
        for (const LengthBleu& lengths : arm.bleu_by_length) {
            CHECK(lengths.n_sentences == lengths.sentences.size());
            CHECK(lengths.from > from);
            CHECK(lengths.to >= lengths.from);
            from = lengths.to;
            n_sentences += lengths.n_sentences;
        }
        CHECK(n_sentences == 40);
    }
    CHECK(result.arms[0].n_parameters == result.arms[1].n_parameters + 8);
}

TEST_CASE("experiment: interrupted at any batch and resumed, it ends as if nothing had happened") {
    const TemporaryFolder folder;
    const ExperimentResult whole = run_experiment(quick(folder / "whole"), all_scorers());
    for (const int last_batch : {1, 7, 10}) { // within an epoch, at its end, in the next
        const fs::path path = folder / std::to_string(last_batch);
        Options options = quick(path);
        std::atomic<bool> stop = false;
        int batches = 0;
        const auto count = [&](const Progress& progress) {
            batches += progress.finished == nullptr ? 1 : 0;
            stop = batches == last_batch;
        };
        CHECK_THROWS_WITH_AS(run_experiment(options, all_scorers(), count, &stop),
                             "training was interrupted; --resume continues where it stopped",
                             Interrupted);
        options.resume = true;
        const ExperimentResult resumed = run_experiment(options, all_scorers());
        check_same(whole.arms[0], resumed.arms[0]);
        check_same(whole.arms[0], run_experiment(options, all_scorers()).arms[0]); // all done
    }
}

TEST_CASE("experiment: a checkpoint of other options is not gone on from") {
    const TemporaryFolder folder;
    Options options = quick(folder.path());
    options.epochs = 1;
    run_experiment(options, all_scorers());
    const fs::path file = folder / "additive-1.checkpoint";
    options.resume = true;
    options.training.dropout = 0.2F;
    CHECK_REFUSED(run_experiment(options, all_scorers()),
                  (file.string() + ": was made with other options, files or threads; delete "
                                   "this one file and start anew, or take another --output "
                                   "folder")
                      .c_str());
}

TEST_CASE("experiment: a folder that cannot be made, or no validation, is an invalid_argument") {
    CHECK_REFUSED(run_experiment(quick("/dev/null/folder"), all_scorers()),
                  "cannot make the folder /dev/null/folder: Not a directory");
    Options options = quick("unused");
    options.train = {"a", "b"};
    CHECK_REFUSED(run_experiment(options, all_scorers()),
                  "--train needs --valid and --test, got no --valid");
}
