#pragma once

#include "seq2seq/evaluate.hpp"

#include <optional>

namespace comparison {

using namespace seq2seq; // whose models are compared

/// A source word left out although a word of the translation looked at it most.
struct Removal {
    std::size_t sentence = 0;
    std::size_t target_word = 0, source_word = 0; // the one that looked, the one left out
    double weight = 0;
    Ids translation; // the same without the word
};

/// Whether translations depend on the words that they look at (Jain and Wallace 2019, "Attention is
/// not Explanation").
struct Removals {
    std::size_t n = 0, n_unchanged = 0;
    std::optional<Removal> example; // weight over 0.9, the longest right translation
};

/// Translates each of the first `n_sentences`, then again without each source word that some word
/// of the translation has its largest weight on.
Removals try_removals(const Model<float>& model, Workers& workers,
                      const std::vector<Example>& examples, std::size_t n_sentences);

} // namespace comparison
