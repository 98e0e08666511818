#include "comparison/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sstream>

namespace comparison {
namespace {

const EpochRecord& best_epoch(const ArmResult& arm) {
    return arm.epochs.at(arm.best_epoch - 1);
}

bool has_gold(const ExperimentResult& result) {
    return !std::isnan(result.arms[0].tests[0].alignment_accuracy);
}

std::string with_spread(const Estimate& e, std::size_t decimals) {
    if (std::isnan(e.mean)) {
        return "not reached";
    }
    const bool has_spread = e.deviation > 0;
    return !has_spread ? fmt::format("{:.{}f}", e.mean, decimals)
                       : fmt::format("{:.{}f} ± {:.{}f}", e.mean, decimals, e.deviation, decimals);
}

void heading(std::ostream& out, const std::string& text) {
    out << "\n" << show::bold(text) << "\n\n";
}

// "±" is one column and two bytes, which fmt's widths know about.
void print_row(std::ostream& out, const std::string& name, const std::vector<std::string>& cells) {
    out << fmt::format("{:<28}", name);
    for (const std::string& cell : cells) {
        out << fmt::format("{:>17}", cell);
    }
    out << "\n";
}

/// A row of names, and one for each measure: its mean over the seeds, and their deviation.
void print_header(std::ostream& out, const std::string& name, const ExperimentResult& result) {
    std::vector<std::string> names;
    for (const std::string& arm : arms_of(result)) {
        names.push_back(short_name(arm));
    }
    print_row(out, name, names);
}

void print_measure(std::ostream& out, const std::string& name, const ExperimentResult& result,
                   const Measure& measure) {
    std::vector<std::string> cells;
    for (const std::string& arm : arms_of(result)) {
        cells.push_back(with_spread(estimate(over_seeds(result, arm, measure)), measure.decimals));
    }
    print_row(out, name, cells);
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
    if (!d.is_told()) {
        return "not told apart" + between;
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

// Agreement and divergence of all pairs of models that `belongs` takes, on one test set.
void print_agreement_row(std::ostream& out, const ExperimentResult& result, const std::string& name,
                         const std::string& test_set,
                         const std::function<bool(const PairResult&)>& belongs) {
    std::vector<double> agreement, divergence;
    for (const PairResult& pair : result.pairs) {
        if (pair.test_set == test_set && belongs(pair)) {
            agreement.push_back(100 * pair.attention.argmax_agreement);
            divergence.push_back(pair.attention.js_divergence);
        }
    }
    if (!agreement.empty()) {
        out << fmt::format("{:<45}{:>17}{:>17}\n", name, with_spread(estimate(agreement), 1),
                           with_spread(estimate(divergence), 3));
    }
}

void print_agreement(std::ostream& out, const ExperimentResult& result) {
    const std::vector<std::string> arms = arms_of(result);
    const std::string& test_set = result.data.test_sets[0].first;
    out << fmt::format("{:<45}{:>17}{:>17}\n", "", "same arg-max, %", "divergence, nats");
    for (std::size_t i = 0; i < arms.size(); ++i) {
        for (std::size_t j = i + 1; j < arms.size(); ++j) {
            print_agreement_row(
                out, result, short_name(arms[i]) + " and " + short_name(arms[j]), test_set,
                [&](const PairResult& p) { return p.first == arms[i] && p.second == arms[j]; });
        }
    }
    for (const std::string& arm : arms) {
        print_agreement_row(out, result, short_name(arm) + " and itself, another seed", test_set,
                            [&](const PairResult& p) { return p.first == arm && p.second == arm; });
    }
}

void print_lengths(std::ostream& out, const ExperimentResult& result) {
    print_header(out, "source words (sentences)", result);
    const std::vector<LengthBleu>& bins = result.arms[0].bleu_by_length;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        const LengthBleu& length = bins[bin];
        print_measure(out, fmt::format("{} to {} ({})", length.from, length.to, length.n_sentences),
                      result, bleu_of_length(bin));
    }
}

void print_losses(std::ostream& out, const ExperimentResult& result) {
    std::vector<show::Series> series;
    for (const ArmResult& arm : result.arms) {
        if (arm.seed == result.arms[0].seed && !arm.curve.empty()) {
            series.push_back(loss_curve(arm, short_name(arm.arm)));
        }
    }
    if (!series.empty()) {
        show::line_chart(out, series,
                         {.title = fmt::format("Training loss, seed {}", result.arms[0].seed),
                          .x_label = "step",
                          .y_label = "nats a target word (log scale)",
                          .log_y = true,
                          .height = 12});
    }
}

std::vector<std::string> with_end(const Words& words) {
    std::vector<std::string> labels = words;
    labels.push_back("(end)");
    return labels;
}

void print_sentence(std::ostream& out, const ExperimentResult& result, std::size_t sentence) {
    const SentencePair& pair = result.data.test_sets[0].second[sentence];
    out << "  " << join(pair.source) << "\n  " << join(pair.target) << "\n\n";
    std::vector<std::string> drawings;
    for (const ArmResult& arm : result.arms) {
        if (arm.seed == result.arms[0].seed) {
            std::ostringstream drawing;
            show::heatmap(drawing, arm.tests[0].weights[sentence],
                          {.title = short_name(arm.arm),
                           .row_labels = with_end(pair.target),
                           .column_labels = with_end(pair.source),
                           .range = show::Range{0, 1},
                           .numbers = false,
                           .marked = gold_cells(pair)});
            drawings.push_back(drawing.str());
        }
    }
    show::beside(out, drawings);
}

void print_removals(std::ostream& out, const ExperimentResult& result) {
    for (const std::string& name : arms_of(result)) {
        const auto arm = std::find_if(result.arms.begin(), result.arms.end(),
                                      [&](const ArmResult& a) { return a.arm == name; });
        const Removals& removals = arm->removals;
        out << fmt::format("{:<13} {} of {} removals left the translation as it was\n",
                           short_name(name) + ":", removals.n_unchanged, removals.n);
    }
    for (const ArmResult& arm : result.arms) {
        if (arm.removals.example) {
            const Removal& r = *arm.removals.example;
            const SentencePair& pair = result.data.test_sets[0].second[r.sentence];
            Words shorter = pair.source;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(r.source_word));
            out << fmt::format(
                "\n  {}\n  {}\n\nHere \"{}\" looks at \"{}\" with a weight of {:.3f} "
                "({}). Without it,\n\n  {}\n\n"
                "is still translated by the same words.\n",
                join(pair.source), join(pair.target), pair.target[r.target_word],
                pair.source[r.source_word], r.weight, short_name(arm.arm), join(shorter));
            return;
        }
    }
}

// Of all epochs, each weighing as much as it took.
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
        {"seconds an epoch", 2,
         [](const ArmResult& arm) {
             double sum = 0;
             for (const EpochRecord& epoch : arm.epochs) {
                 sum += epoch.seconds;
             }
             return sum / double(arm.epochs.size());
         }},
        {"target words a second", 0,
         [](const ArmResult& arm) { return mean_over_time(arm, &EpochRecord::words_per_second); }},
        {"the scores' share of time, %", 1,
         [](const ArmResult& arm) {
             return 100 * mean_over_time(arm, &EpochRecord::scorer_share);
         }},
        {"training loss, nats a word", 3,
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

show::Series loss_curve(const ArmResult& arm, const std::string& name) {
    show::Series series{.name = name, .x = {}, .y = arm.curve};
    for (std::size_t i = 1; i <= arm.curve.size(); ++i) {
        series.x.push_back(static_cast<double>(i * curve_steps));
    }
    return series;
}

Measure bleu_of_length(std::size_t bin) {
    return {"", 1, [bin](const ArmResult& arm) { return arm.bleu_by_length[bin].bleu; }};
}

void print_report(std::ostream& out, const ExperimentResult& result) {
    const SentencePair& example = result.data.test_sets[0].second[0];
    out << fmt::format("{} pairs of sentences to train on, {} and {} words known. One of the test:"
                       "\n\n  {}\n  {}\n\n",
                       result.data.train.size(), result.source_words, result.target_words,
                       join(example.source), join(example.target));
    print_measures(out, result);
    const std::size_t n_seeds = result.arms.size() / arms_of(result).size();
    out << (n_seeds > 1 ? fmt::format("\nMean ± standard deviation over {} seeds.\n\n", n_seeds)
                        : "\nOne seed: nothing says which differences are chance. "
                          "--seeds 1,2,3 would.\n\n");
    print_losses(out, result);
    if (arms_of(result).size() > 1 && n_seeds > 1) {
        heading(out, "Where they differ, seed by seed");
        print_differences(out, result);
    }
    heading(out, "BLEU by length");
    print_lengths(out, result);
    if (!result.pairs.empty()) {
        heading(out, "Where they agree: the attention of two models on the same words");
        print_agreement(out, result);
        const std::vector<std::size_t> sentences = most_different(result, 1);
        if (!sentences.empty()) {
            heading(out, "Same translation, most different attention (gold alignment in brackets)");
            print_sentence(out, result, sentences[0]);
        }
    }
    heading(out, "A weight is not an explanation: leaving out the word that is looked at most");
    print_removals(out, result);
}

} // namespace comparison
