#include "comparison/report.hpp"

#include "show/text.hpp"

#include <fmt/format.h>
#include <sstream>

namespace comparison {
namespace {

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

std::vector<std::string> with_end(const Words& words) {
    std::vector<std::string> labels = words;
    labels.push_back("(end)");
    return labels;
}

// The weights of each arm of the first seed side by side, as `draw` draws them.
void print_beside(std::ostream& out, const ExperimentResult& result,
                  const std::function<void(std::ostream&, const ArmResult&)>& draw) {
    std::vector<std::string> drawings;
    for (const ArmResult& arm : result.arms) {
        if (arm.seed == result.arms[0].seed) {
            std::ostringstream drawing;
            draw(drawing, arm);
            drawings.push_back(drawing.str());
        }
    }
    show::beside(out, drawings);
}

void print_sentence(std::ostream& out, const ExperimentResult& result, std::size_t sentence) {
    const SentencePair& pair = result.data.test_sets[0].second[sentence];
    out << "  " << show::printable(join(pair.source)) << "\n  "
        << show::printable(join(pair.target)) << "\n\n";
    print_beside(out, result, [&](std::ostream& drawing, const ArmResult& arm) {
        show::heatmap(drawing, arm.tests[0].weights[sentence],
                      {.title = short_name(arm.arm),
                       .row_labels = with_end(pair.target),
                       .column_labels = with_end(pair.source),
                       .range = show::Range{0, 1},
                       .numbers = false,
                       .marked = gold_cells(pair)});
    });
}

// Translations that stayed as they were, in percent.
void print_unchanged(std::ostream& out, const std::string& name, const ExperimentResult& result,
                     double (Outcome::*share)() const, Outcome Removals::*outcome) {
    print_measure(out, name, result, {name, 1, [=](const ArmResult& arm) {
                                          return 100 * ((arm.removals.*outcome).*share)();
                                      }});
}

// The same of all seeds together, where some may have had nothing to try.
void print_pooled(std::ostream& out, const std::string& name, const ExperimentResult& result,
                  Outcome Removals::*outcome) {
    std::vector<std::string> cells;
    for (const std::string& name_of_arm : arms_of(result)) {
        Outcome all;
        for (const ArmResult& arm : result.arms) {
            if (arm.arm == name_of_arm) {
                all.n += (arm.removals.*outcome).n;
                all.n_unchanged += (arm.removals.*outcome).n_unchanged;
            }
        }
        cells.push_back(fmt::format("{} of {}", all.n_unchanged, all.n));
    }
    print_row(out, name, cells);
}

void print_outcomes(std::ostream& out, const ExperimentResult& result) {
    print_header(out, "", result);
    print_measure(out, "source words tried", result,
                  {"", 0, [](const ArmResult& arm) { return double(arm.removals.deleted.n); }});
    print_measure(out, "of them not all of their row", result,
                  {"", 0, [](const ArmResult& arm) { return double(arm.removals.zeroed.n); }});
    out << "whole translation unchanged, %\n";
    print_unchanged(out, "  the word deleted", result, &Outcome::unchanged, &Removals::deleted);
    print_unchanged(out, "  its weight set to 0", result, &Outcome::unchanged, &Removals::zeroed);
    out << "the word written in that step unchanged, %\n";
    print_unchanged(out, "  its weight set to 0", result, &Outcome::same_word, &Removals::zeroed);
    out << "whole translation unchanged, where another weight is nearly as large\n";
    print_pooled(out, "  the largest set to 0", result, &Removals::largest_of_near);
    print_pooled(out, "  the other set to 0", result, &Removals::other_of_near);
    out << fmt::format("\nNearly: at least {} of the largest in its row; counts are of all seeds "
                       "together.\n",
                       Removals::nearly);
}

void print_removals(std::ostream& out, const ExperimentResult& result) {
    print_outcomes(out, result);
    for (const ArmResult& arm : result.arms) {
        if (arm.removals.example) {
            const Removal& r = *arm.removals.example;
            const SentencePair& pair = result.data.test_sets[0].second[r.sentence];
            Words shorter = pair.source;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(r.at.source_word));
            out << fmt::format(
                "\nChosen: the longest right translation that a deletion left as it was.\n\n"
                "  {}\n  {}\n\nHere \"{}\" attends to \"{}\" with a weight of {:.3f} "
                "({}). Without it,\n\n  {}\n\n"
                "is still translated by the same words.\n",
                show::printable(join(pair.source)), show::printable(join(pair.target)),
                show::printable(pair.target[r.at.target_word]),
                show::printable(pair.source[r.at.source_word]), r.weight, short_name(arm.arm),
                show::printable(join(shorter)));
            return;
        }
    }
}

// The sentence of all lessons, as every arm of the first seed translates it.
void print_first_sentence(std::ostream& out, const ExperimentResult& result) {
    if (result.arms[0].first_translation.empty()) {
        return; // the vocabulary lacks one of its words
    }
    heading(out, fmt::format("\"{}\" translated", join(first_sentence)));
    print_beside(out, result, [](std::ostream& drawing, const ArmResult& arm) {
        std::vector<std::string> rows = with_end(arm.first_translation);
        rows.resize(arm.first_weights.shape(0)); // without an end where it was cut off
        show::heatmap(drawing, arm.first_weights,
                      {.title = short_name(arm.arm),
                       .row_labels = rows,
                       .column_labels = with_end(first_sentence),
                       .range = show::Range{0, 1}});
    });
}

} // namespace

void print_attention_report(std::ostream& out, const ExperimentResult& result) {
    if (!result.pairs.empty()) {
        heading(out, "Where they agree: the attention of two models on the same words");
        print_agreement(out, result);
        const std::vector<std::size_t> sentences = most_different(result, 1);
        if (!sentences.empty()) {
            heading(out, "Same translation, most different attention (gold alignment in brackets)");
            print_sentence(out, result, sentences[0]);
        }
    }
    print_first_sentence(out, result);
    heading(out, "A weight is not an explanation: interventions at the largest weight");
    print_removals(out, result);
}

} // namespace comparison
