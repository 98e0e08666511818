#pragma once

#include "comparison/experiment.hpp"
#include "comparison/statistics.hpp"
#include "show/show.hpp"

#include <ostream>

namespace comparison {

/// A number that every trained model has.
struct Measure {
    std::string name;
    std::size_t decimals = 0;
    std::function<double(const ArmResult&)> of;
};

/// Cost, losses, BLEU, alignment accuracy and entropy, in the order of the report.
std::vector<Measure> measures(const ExperimentResult& result);

/// The names of the arms, in the order in which they were trained.
std::vector<std::string> arms_of(const ExperimentResult& result);

/// A measure of one arm, a number a seed.
std::vector<double> over_seeds(const ExperimentResult& result, const std::string& arm,
                               const Measure& measure);

/// "additive", "scaled dot", "unscaled dot": short enough for a column.
std::string short_name(const std::string& arm);

/// The sentences of the first test set that the first two arms (of the first seed) attend to most
/// differently, and that both translated the same way, so that only attention differs.
std::vector<std::size_t> most_different(const ExperimentResult& result, std::size_t n);

/// The weights of a sentence whose target word translates the source word.
std::vector<show::Cell> gold_cells(const SentencePair& pair);

/// BLEU of an arm on the sentences of one range of lengths: the mean over its seeds, and the 95 %
/// interval over resampled sentences.
Difference bleu_of_length(const ExperimentResult& result, const std::string& arm, std::size_t bin);

// The rows of the report: a name, and a cell for each arm.

/// "96.8 ± 0.2": mean and deviation; without the deviation where there is none.
std::string with_spread(const Estimate& e, std::size_t decimals);

/// A section of the report begins.
void heading(std::ostream& out, const std::string& text);

void print_row(std::ostream& out, const std::string& name, const std::vector<std::string>& cells);

/// The names of the arms.
void print_header(std::ostream& out, const std::string& name, const ExperimentResult& result);

/// A measure's mean over the seeds, and their deviation.
void print_measure(std::ostream& out, const std::string& name, const ExperimentResult& result,
                   const Measure& measure);

/// The second half of the report: where the arms attend, on which sentence they differ most, what
/// they make of first_sentence, and what became of translations when weights were taken away.
void print_attention_report(std::ostream& out, const ExperimentResult& result);

/// What was trained on, the results, and where the arms agree and differ. It reports a difference
/// only if the seeds, or the sentences of the test set, show more than chance: seeds say what
/// another training would give, sentences what another test set would.
void print_report(std::ostream& out, const ExperimentResult& result);

} // namespace comparison
