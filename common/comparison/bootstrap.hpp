#pragma once

// What one test set's sentences say about BLEU: how much it would vary with other sentences of the
// same kind.

#include "comparison/statistics.hpp"
#include "seq2seq/bleu.hpp"

namespace comparison {

using namespace seq2seq;

/// BLEU's counts of each sentence; a corpus's counts are their sums.
std::vector<Bleu> sentence_bleus(const std::vector<Words>& hypotheses,
                                 const std::vector<Words>& references);

/// For the corpus of these sentences.
double corpus_bleu(const std::vector<Bleu>& sentences);

/// By how much the BLEU of a exceeds that of b on one test set, and the 95 % interval of that over
/// resampled test sets: paired bootstrap. Test sets are drawn, with replacement, from the sentences
/// of the one that all have translated: as many sentences, the same ones for every system (Efron
/// 1979; Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation").
Difference paired_bootstrap(const std::vector<Bleu>& a, const std::vector<Bleu>& b);

/// The mean BLEU of systems, and its 95 % interval over resampled test sets.
///   systems[i][s]: sentence s as system i translates it
Difference mean_bleu(const std::vector<std::vector<Bleu>>& systems);

} // namespace comparison
