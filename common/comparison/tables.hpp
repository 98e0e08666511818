#pragma once

#include "comparison/experiment.hpp"

namespace comparison {

/// Everything that was measured, as comma-separated values in the folder:
///   epochs.csv         a row an arm, seed and epoch       losses, BLEU, time
///   curve.csv          a row an arm, seed and 20 steps    training loss
///   results.csv        a row an arm, seed and test set    BLEU, alignment accuracy, entropy
///   bleu_by_length.csv a row an arm, seed and length        with the 95 % interval (bootstrap)
///   bleu_differences.csv a row a pair of arms, seed and test set   the same, paired
///   interventions.csv  a row an arm, seed and intervention    translations that stayed the same
///   agreement.csv      a row a pair of models and test set
///   translations.csv   a row an arm, seed, test set and sentence
/// Throws std::runtime_error if one cannot be written.
void write_tables(const std::filesystem::path& folder, const ExperimentResult& result);

} // namespace comparison
