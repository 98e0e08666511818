#pragma once

// The rows of the report: a name, and a cell for each arm.

#include "comparison/report.hpp"

namespace comparison {

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

} // namespace comparison
