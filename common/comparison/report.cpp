#include "comparison/report.hpp"

#include "show/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace comparison {
namespace {

const EpochRecord& best_epoch(const ArmResult& arm) {
    return arm.epochs.at(arm.best_epoch - 1);
}

bool has_gold(const ExperimentResult& result) {
    return !std::isnan(result.arms[0].tests[0].alignment_accuracy);
}

void print_measures(std::ostream& out, const ExperimentResult& result) {
    print_header(out, "", result);
    for (const Measure& measure : measures(result)) {
        print_measure(out, measure.name, result, measure);
    }
}

std::string verdict(const Difference& d, std::size_t decimals) {
    const auto n = [&](double x) { return fmt::format("{:.{}f}", x, decimals); };
    const std::string between = fmt::format(" (95 %: {} to {})", n(d.low), n(d.high));
    if (!d.is_clear()) {
        return "no clear difference" + between;
    }
    return (d.mean > 0 ? "higher by " : "lower by ") + n(std::abs(d.mean)) + between;
}

void print_differences(std::ostream& out, const ExperimentResult& result) {
    const std::vector<std::string> arms = arms_of(result);
    for (std::size_t i = 0; i + 1 < arms.size(); ++i) {
        out << fmt::format("{}{}, beside {}\n", i == 0 ? "" : "\n", short_name(arms[i]),
                           short_name(arms[i + 1]));
        for (const Measure& measure : measures(result)) {
            const std::vector<double> a = over_seeds(result, arms[i], measure);
            const std::vector<double> b = over_seeds(result, arms[i + 1], measure);
            const Difference d = difference(a, b);
            if (measure.name != "parameters" && !std::isnan(d.mean)) {
                out << fmt::format("  {:<30}{}\n", measure.name, verdict(d, measure.decimals));
            }
        }
    }
}

// What the sentences of a test set say, one seed at a time.
void print_bootstrap(std::ostream& out, const ExperimentResult& result) {
    const std::vector<std::string> arms = arms_of(result);
    for (std::size_t i = 0; i + 1 < arms.size(); ++i) {
        out << fmt::format("{}{}, beside {}\n", i == 0 ? "" : "\n", short_name(arms[i]),
                           short_name(arms[i + 1]));
        for (std::size_t set = 0; set < result.data.test_sets.size(); ++set) {
            for (const ArmResult& a : result.arms) {
                for (const ArmResult& b : result.arms) {
                    if (a.arm == arms[i] && b.arm == arms[i + 1] && a.seed == b.seed) {
                        const Difference d =
                            paired_bootstrap(a.tests[set].sentences, b.tests[set].sentences);
                        out << fmt::format(
                            "  {:<30}{}\n",
                            fmt::format("BLEU, {}, seed {}", a.tests[set].name, a.seed),
                            verdict(d, 1));
                    }
                }
            }
        }
    }
}

void print_lengths(std::ostream& out, const ExperimentResult& result) {
    print_header(out, "source words (sentences)", result);
    const std::vector<LengthBleu>& bins = result.arms[0].bleu_by_length;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        std::vector<std::string> cells;
        for (const std::string& arm : arms_of(result)) {
            const Difference mean = bleu_of_length(result, arm, bin);
            cells.push_back(fmt::format("{:.1f} ({:.0f}-{:.0f})", mean.mean, mean.low, mean.high));
        }
        print_row(out,
                  fmt::format("{} to {} ({})", bins[bin].from, bins[bin].to, bins[bin].n_sentences),
                  cells);
    }
    out << "\nMean over the seeds; in brackets 95 % over the sentences (bootstrap).\n";
}

// A point every curve_steps steps.
void print_losses(std::ostream& out, const ExperimentResult& result) {
    std::vector<show::Series> all;
    for (const ArmResult& arm : result.arms) {
        if (arm.seed == result.arms[0].seed) {
            show::Series series{.name = short_name(arm.arm), .y = arm.curve};
            for (std::size_t i = 1; i <= arm.curve.size(); ++i) {
                series.x.push_back(static_cast<double>(i * curve_steps));
            }
            all.push_back(std::move(series));
        }
    }
    show::line_chart(out, all,
                     {.title = fmt::format("Training loss, seed {}", result.arms[0].seed),
                      .x_label = "step",
                      .y_label = "nats per target word (log scale)",
                      .log_y = true,
                      .height = 12});
}

// Over all epochs, each weighted by its time.
double mean_over_time(const ArmResult& arm, double EpochRecord::*rate) {
    double sum = 0, seconds = 0;
    for (const EpochRecord& epoch : arm.epochs) {
        sum += epoch.*rate * epoch.seconds;
        seconds += epoch.seconds;
    }
    return sum / seconds;
}

} // namespace

std::vector<Measure> measures(const ExperimentResult& result) {
    std::vector<Measure> all{
        {"parameters", 0, [](const ArmResult& arm) { return double(arm.n_parameters); }},
        {"seconds per epoch", 2,
         [](const ArmResult& arm) {
             double sum = 0;
             for (const EpochRecord& epoch : arm.epochs) {
                 sum += epoch.seconds;
             }
             return sum / double(arm.epochs.size());
         }},
        {"target words per second", 0,
         [](const ArmResult& arm) { return mean_over_time(arm, &EpochRecord::words_per_second); }},
        {"the scores' share of time, %", 1,
         [](const ArmResult& arm) {
             return 100 * mean_over_time(arm, &EpochRecord::scorer_share);
         }},
        {"training loss, nats per word", 3,
         [](const ArmResult& arm) { return best_epoch(arm).train_loss; }},
        {"validation loss", 3, [](const ArmResult& arm) { return best_epoch(arm).valid_loss; }},
        {fmt::format("steps to a loss of {}", result.loss_to_reach), 0, [](const ArmResult& arm) {
             return arm.steps_to_loss ? double(*arm.steps_to_loss)
                                      : std::numeric_limits<double>::quiet_NaN();
         }}};
    for (std::size_t set = 0; set < result.data.test_sets.size(); ++set) {
        const std::string& name = result.data.test_sets[set].first;
        all.push_back({"BLEU, " + name, 1,
                       [set](const ArmResult& arm) { return arm.tests[set].bleu.score; }});
        if (has_gold(result)) {
            all.push_back({"alignment accuracy %, " + name, 1, [set](const ArmResult& arm) {
                               return 100 * arm.tests[set].alignment_accuracy;
                           }});
        }
        all.push_back({"entropy in nats, " + name, 3,
                       [set](const ArmResult& arm) { return arm.tests[set].entropy; }});
    }
    return all;
}

std::vector<std::string> arms_of(const ExperimentResult& result) {
    std::vector<std::string> names;
    for (const ArmResult& arm : result.arms) {
        if (std::find(names.begin(), names.end(), arm.arm) == names.end()) {
            names.push_back(arm.arm);
        }
    }
    return names;
}

std::vector<double> over_seeds(const ExperimentResult& result, const std::string& arm,
                               const Measure& measure) {
    std::vector<double> numbers;
    for (const ArmResult& each : result.arms) {
        if (each.arm == arm) {
            numbers.push_back(measure.of(each));
        }
    }
    return numbers;
}

std::string short_name(const std::string& arm) {
    return arm == "scaled_dot_product" ? "scaled dot" : arm == "dot_product" ? "unscaled dot" : arm;
}

std::vector<std::size_t> most_different(const ExperimentResult& result, std::size_t n) {
    std::vector<std::size_t> sentences;
    if (result.pairs.empty() || result.arms.size() < 2 ||
        result.arms[0].seed != result.arms[1].seed) {
        return sentences;
    }
    const auto& first = result.arms[0].tests[0].hypotheses;
    const auto& second = result.arms[1].tests[0].hypotheses;
    for (const std::size_t i : result.pairs[0].most_different) {
        const std::size_t words = result.data.test_sets[0].second[i].source.size();
        if (sentences.size() < n && words > 3 && words < 14 && first[i] == second[i] &&
            first[i] == result.data.test_sets[0].second[i].target) {
            sentences.push_back(i);
        }
    }
    return sentences;
}

std::vector<show::Cell> gold_cells(const SentencePair& pair) {
    std::vector<show::Cell> cells;
    for (std::size_t i = 0; i < pair.alignment.size(); ++i) {
        for (const std::size_t j : pair.alignment[i]) {
            cells.push_back({i, j});
        }
    }
    return cells;
}

Difference bleu_of_length(const ExperimentResult& result, const std::string& arm, std::size_t bin) {
    std::vector<std::vector<Bleu>> seeds;
    for (const ArmResult& each : result.arms) {
        if (each.arm == arm) {
            seeds.push_back(each.bleu_by_length[bin].sentences);
        }
    }
    return mean_bleu(seeds);
}

void print_report(std::ostream& out, const ExperimentResult& result) {
    const SentencePair& example = result.data.test_sets[0].second[0];
    out << fmt::format("{} pairs of sentences to train on, {} and {} words known. One of the test:"
                       "\n\n  {}\n  {}\n\n",
                       result.data.train.size(), result.source_words, result.target_words,
                       show::printable(join(example.source)),
                       show::printable(join(example.target)));
    print_measures(out, result);
    const std::size_t n_seeds = result.arms.size() / arms_of(result).size();
    out << (n_seeds > 1 ? fmt::format("\nMean ± standard deviation over {} seeds.\n\n", n_seeds)
                        : "\nOne seed: nothing says what another would give; --seeds 1,2,3 "
                          "would.\n\n");
    print_losses(out, result);
    if (arms_of(result).size() > 1 && n_seeds > 1) {
        heading(out, "Where they differ, seed by seed");
        print_differences(out, result);
    }
    if (arms_of(result).size() > 1) {
        heading(out, "Where BLEU differs, by the sentences of each test set (paired bootstrap)");
        print_bootstrap(out, result);
    }
    heading(out, "BLEU by length");
    print_lengths(out, result);
    print_attention_report(out, result);
}

} // namespace comparison
