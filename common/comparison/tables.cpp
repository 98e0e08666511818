#include "comparison/tables.hpp"

#include "show/csv.hpp"

#include <limits>

namespace comparison {
namespace {

using Folder = std::filesystem::path;
using Table = std::vector<show::CsvRow>;

void write_training(const Folder& folder, const ExperimentResult& result) {
    Table epochs{{"arm", "seed", "epoch", "training_loss", "validation_loss", "validation_bleu",
                  "seconds", "target_words_per_second", "scorer_share"}};
    Table curve{{"arm", "seed", "step", "training_loss"}};
    for (const ArmResult& arm : result.arms) {
        for (std::size_t i = 0; i < arm.epochs.size(); ++i) {
            const EpochRecord& e = arm.epochs[i];
            epochs.push_back({arm.arm, arm.seed, i + 1, e.train_loss, e.valid_loss, e.valid_bleu,
                              e.seconds, e.words_per_second, e.scorer_share});
        }
        for (std::size_t i = 0; i < arm.curve.size(); ++i) {
            curve.push_back({arm.arm, arm.seed, (i + 1) * curve_steps, arm.curve[i]});
        }
    }
    show::write_csv(folder / "epochs.csv", epochs);
    show::write_csv(folder / "curve.csv", curve);
}

void write_results(const Folder& folder, const ExperimentResult& result) {
    Table results{{"arm", "test_set", "seed", "parameters", "best_epoch", "bleu", "brevity_penalty",
                   "alignment_accuracy", "entropy"}};
    Table lengths{
        {"arm", "seed", "from_words", "to_words", "sentences", "bleu", "bleu_low", "bleu_high"}};
    Table interventions{
        {"arm", "intervention", "seed", "tried", "translation_unchanged", "target_word_unchanged"}};
    for (const ArmResult& arm : result.arms) {
        for (const TestResult& test : arm.tests) {
            results.push_back({arm.arm, test.name, arm.seed, arm.n_parameters, arm.best_epoch,
                               test.bleu.score, test.bleu.brevity_penalty, test.alignment_accuracy,
                               test.entropy});
        }
        for (const LengthBleu& bin : arm.bleu_by_length) {
            const Difference interval = mean_bleu({bin.sentences});
            lengths.push_back({arm.arm, arm.seed, bin.from, bin.to, bin.n_sentences, bin.bleu,
                               interval.low, interval.high});
        }
        const auto add = [&](const char* name, const Outcome& outcome, bool has_word) {
            interventions.push_back({arm.arm, name, arm.seed, outcome.n, outcome.n_unchanged,
                                     has_word ? static_cast<double>(outcome.n_same_word)
                                              : std::numeric_limits<double>::quiet_NaN()});
        };
        add("word deleted", arm.removals.deleted, false);
        add("largest weight zeroed", arm.removals.zeroed, true);
        add("largest of near zeroed", arm.removals.largest_of_near, true);
        add("other of near zeroed", arm.removals.other_of_near, true);
    }
    show::write_csv(folder / "results.csv", results);
    show::write_csv(folder / "bleu_by_length.csv", lengths);
    show::write_csv(folder / "interventions.csv", interventions);
}

// BLEU of two arms of one seed: what the sentences of a test set show.
void write_bootstrap(const Folder& folder, const ExperimentResult& result) {
    Table table{{"first", "second", "test_set", "seed", "difference", "low", "high"}};
    for (std::size_t i = 0; i < result.arms.size(); ++i) {
        for (std::size_t j = i + 1; j < result.arms.size(); ++j) {
            const ArmResult &a = result.arms[i], &b = result.arms[j];
            for (std::size_t set = 0; a.seed == b.seed && set < a.tests.size(); ++set) {
                const Difference d =
                    paired_bootstrap(a.tests[set].sentences, b.tests[set].sentences);
                table.push_back({a.arm, b.arm, a.tests[set].name, a.seed, d.mean, d.low, d.high});
            }
        }
    }
    show::write_csv(folder / "bleu_differences.csv", table);
}

void write_agreement(const Folder& folder, const ExperimentResult& result) {
    Table table{{"first", "second", "test_set", "first_seed", "second_seed", "argmax_agreement",
                 "js_divergence"}};
    for (const PairResult& pair : result.pairs) {
        table.push_back({pair.first, pair.second, pair.test_set, pair.first_seed, pair.second_seed,
                         pair.attention.argmax_agreement, pair.attention.js_divergence});
    }
    show::write_csv(folder / "agreement.csv", table);
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
    write_bootstrap(folder, result);
    write_agreement(folder, result);
    write_translations(folder, result);
}

} // namespace comparison
