#include "comparison/tables.hpp"

#include "show/csv.hpp"

#include <limits>

namespace comparison {
namespace {

// A table that grows by rows of texts and numbers; all rows have the same columns.
class Table {
public:
    explicit Table(const std::vector<std::string>& texts, const std::vector<std::string>& numbers) {
        for (const std::string& name : texts) {
            columns_.push_back({name, std::vector<std::string>()});
        }
        for (const std::string& name : numbers) {
            columns_.push_back({name, std::vector<double>()});
        }
    }

    void add(const std::vector<std::string>& texts, const std::vector<double>& numbers) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            std::get<std::vector<std::string>>(columns_.at(i).values).push_back(texts[i]);
        }
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            std::get<std::vector<double>>(columns_.at(texts.size() + i).values)
                .push_back(numbers[i]);
        }
    }

    void write(const std::filesystem::path& path) const { show::write_csv(path, columns_); }

private:
    std::vector<show::CsvColumn> columns_;
};

void write_training(const std::filesystem::path& folder, const ExperimentResult& result) {
    Table epochs({"arm"}, {"seed", "epoch", "training_loss", "validation_loss", "validation_bleu",
                           "seconds", "target_words_per_second", "scorer_share"});
    Table curve({"arm"}, {"seed", "step", "training_loss"});
    for (const ArmResult& arm : result.arms) {
        const double seed = static_cast<double>(arm.seed);
        for (std::size_t i = 0; i < arm.epochs.size(); ++i) {
            const EpochRecord& e = arm.epochs[i];
            epochs.add({arm.arm}, {seed, static_cast<double>(i + 1), e.train_loss, e.valid_loss,
                                   e.valid_bleu, e.seconds, e.words_per_second, e.scorer_share});
        }
        for (std::size_t i = 0; i < arm.curve.size(); ++i) {
            curve.add({arm.arm}, {seed, static_cast<double>((i + 1) * curve_steps), arm.curve[i]});
        }
    }
    epochs.write(folder / "epochs.csv");
    curve.write(folder / "curve.csv");
}

void write_results(const std::filesystem::path& folder, const ExperimentResult& result) {
    Table results({"arm", "test_set"}, {"seed", "parameters", "best_epoch", "bleu",
                                        "brevity_penalty", "alignment_accuracy", "entropy"});
    Table lengths({"arm"},
                  {"seed", "from_words", "to_words", "sentences", "bleu", "bleu_low", "bleu_high"});
    Table interventions({"arm", "intervention"},
                        {"seed", "tried", "translation_unchanged", "target_word_unchanged"});
    for (const ArmResult& arm : result.arms) {
        const double seed = static_cast<double>(arm.seed);
        for (const TestResult& test : arm.tests) {
            results.add({arm.arm, test.name},
                        {seed, static_cast<double>(arm.n_parameters),
                         static_cast<double>(arm.best_epoch), test.bleu.score,
                         test.bleu.brevity_penalty, test.alignment_accuracy, test.entropy});
        }
        for (const LengthBleu& bin : arm.bleu_by_length) {
            const Difference interval = mean_bleu({bin.sentences});
            lengths.add({arm.arm},
                        {seed, static_cast<double>(bin.from), static_cast<double>(bin.to),
                         static_cast<double>(bin.n_sentences), bin.bleu, interval.low,
                         interval.high});
        }
        const auto add = [&](const std::string& name, const Outcome& outcome, bool has_word) {
            interventions.add({arm.arm, name},
                              {seed, static_cast<double>(outcome.n),
                               static_cast<double>(outcome.n_unchanged),
                               has_word ? static_cast<double>(outcome.n_same_word)
                                        : std::numeric_limits<double>::quiet_NaN()});
        };
        add("word deleted", arm.removals.deleted, false);
        add("largest weight zeroed", arm.removals.zeroed, true);
        add("largest of near zeroed", arm.removals.largest_of_near, true);
        add("other of near zeroed", arm.removals.other_of_near, true);
    }
    results.write(folder / "results.csv");
    lengths.write(folder / "bleu_by_length.csv");
    interventions.write(folder / "interventions.csv");
}

// BLEU of two arms of one seed: what the sentences of a test set show.
void write_bootstrap(const std::filesystem::path& folder, const ExperimentResult& result) {
    Table table({"first", "second", "test_set"}, {"seed", "difference", "low", "high"});
    for (std::size_t i = 0; i < result.arms.size(); ++i) {
        for (std::size_t j = i + 1; j < result.arms.size(); ++j) {
            const ArmResult &a = result.arms[i], &b = result.arms[j];
            for (std::size_t set = 0; a.seed == b.seed && set < a.tests.size(); ++set) {
                const Difference d =
                    paired_bootstrap(a.tests[set].sentences, b.tests[set].sentences);
                table.add({a.arm, b.arm, a.tests[set].name},
                          {static_cast<double>(a.seed), d.mean, d.low, d.high});
            }
        }
    }
    table.write(folder / "bleu_differences.csv");
}

void write_agreement(const std::filesystem::path& folder, const ExperimentResult& result) {
    Table agreement({"first", "second", "test_set"},
                    {"first_seed", "second_seed", "argmax_agreement", "js_divergence"});
    for (const PairResult& pair : result.pairs) {
        agreement.add({pair.first, pair.second, pair.test_set},
                      {static_cast<double>(pair.first_seed), static_cast<double>(pair.second_seed),
                       pair.attention.argmax_agreement, pair.attention.js_divergence});
    }
    agreement.write(folder / "agreement.csv");
}

void write_translations(const std::filesystem::path& folder, const ExperimentResult& result) {
    Table table({"arm", "test_set", "source", "reference", "translation"}, {"seed", "sentence"});
    for (const ArmResult& arm : result.arms) {
        for (std::size_t set = 0; set < arm.tests.size(); ++set) {
            const std::vector<SentencePair>& pairs = result.data.test_sets[set].second;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                table.add({arm.arm, arm.tests[set].name, join(pairs[i].source),
                           join(pairs[i].target), join(arm.tests[set].hypotheses[i])},
                          {static_cast<double>(arm.seed), static_cast<double>(i + 1)});
            }
        }
    }
    table.write(folder / "translations.csv");
}

} // namespace

void write_tables(const std::filesystem::path& folder, const ExperimentResult& result) {
    write_training(folder, result);
    write_results(folder, result);
    write_bootstrap(folder, result);
    write_agreement(folder, result);
    write_translations(folder, result);
}

} // namespace comparison
