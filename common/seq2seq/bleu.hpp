#pragma once

#include "seq2seq/vocabulary.hpp"

#include <array>

namespace seq2seq {

/// Corpus BLEU (Papineni et al. 2002) as sacreBLEU 2 defines it (Post 2018).
struct Bleu {
    double score = 0;                   // 0 … 100
    std::array<double, 4> precisions{}; // of n-grams, n = 1 … 4, in percent
    std::array<std::size_t, 4> matches{}, totals{};
    double brevity_penalty = 0;
    std::size_t system_length = 0, reference_length = 0; // words
};

/// From counts: matching n-grams of all n-grams, n = 1 … 4. If no order has a match: 0. At each
/// order without a match the precision is 100 / (2^k · total), k counting such orders ("exp"
/// smoothing).
Bleu bleu_from_counts(const std::array<std::size_t, 4>& matches,
                      const std::array<std::size_t, 4>& totals, std::size_t system_length,
                      std::size_t reference_length);

/// Hypotheses against a reference each, all already cut into words.
Bleu bleu(const std::vector<Words>& hypotheses, const std::vector<Words>& references);

/// Words and punctuation of raw text as mteval-v13a, sacreBLEU's default, cuts it.
Words tokenize_13a(const std::string& line);

} // namespace seq2seq
