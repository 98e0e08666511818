#pragma once

#include "comparison/experiment.hpp"

namespace comparison {

/// What was measured, as comma-separated values in the folder:
///   epochs.csv        a row an arm, seed and epoch       losses, BLEU, time
///   results.csv       a row an arm, seed and test set    BLEU, alignment accuracy, entropy
///   translations.csv  a row an arm, seed, test set and sentence
/// Throws std::runtime_error if one cannot be written.
void write_tables(const std::filesystem::path& folder, const ExperimentResult& result);

} // namespace comparison
