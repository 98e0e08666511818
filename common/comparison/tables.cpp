#include "comparison/tables.hpp"

#include "show/csv.hpp"

namespace comparison {
namespace {

using Folder = std::filesystem::path;
using Table = std::vector<show::CsvRow>;

void write_training(const Folder& folder, const ExperimentResult& result) {
    Table epochs{{"arm", "seed", "epoch", "training_loss", "validation_loss", "validation_bleu",
                  "seconds", "target_words_per_second", "scorer_share"}};
    for (const ArmResult& arm : result.arms) {
        for (std::size_t i = 0; i < arm.epochs.size(); ++i) {
            const EpochRecord& e = arm.epochs[i];
            epochs.push_back({arm.arm, arm.seed, i + 1, e.train_loss, e.valid_loss, e.valid_bleu,
                              e.seconds, e.words_per_second, e.scorer_share});
        }
    }
    show::write_csv(folder / "epochs.csv", epochs);
}

void write_results(const Folder& folder, const ExperimentResult& result) {
    Table results{{"arm", "test_set", "seed", "parameters", "best_epoch", "bleu", "brevity_penalty",
                   "alignment_accuracy", "entropy"}};
    for (const ArmResult& arm : result.arms) {
        for (const TestResult& test : arm.tests) {
            results.push_back({arm.arm, test.name, arm.seed, arm.n_parameters, arm.best_epoch,
                               test.bleu.score, test.bleu.brevity_penalty, test.alignment_accuracy,
                               test.entropy});
        }
    }
    show::write_csv(folder / "results.csv", results);
}

void write_translations(const Folder& folder, const ExperimentResult& result) {
    Table table{{"arm", "test_set", "source", "reference", "translation", "seed", "sentence"}};
    for (const ArmResult& arm : result.arms) {
        for (std::size_t set = 0; set < arm.tests.size(); ++set) {
            const std::vector<SentencePair>& pairs = result.data.test_sets[set].second;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                table.push_back({arm.arm, arm.tests[set].name, join(pairs[i].source),
                                 join(pairs[i].target), join(arm.tests[set].hypotheses[i]),
                                 arm.seed, i + 1});
            }
        }
    }
    show::write_csv(folder / "translations.csv", table);
}

} // namespace

void write_tables(const Folder& folder, const ExperimentResult& result) {
    write_training(folder, result);
    write_results(folder, result);
    write_translations(folder, result);
}

} // namespace comparison
