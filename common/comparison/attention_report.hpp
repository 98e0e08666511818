#pragma once

#include "comparison/report.hpp"

namespace comparison {

/// The second half of the report: where the arms attend, on which sentence they differ most, what
/// they make of first_sentence, and what became of translations when weights were taken away.
void print_attention_report(std::ostream& out, const ExperimentResult& result);

} // namespace comparison
