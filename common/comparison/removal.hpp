#pragma once

#include "seq2seq/evaluate.hpp"

#include <optional>

namespace comparison {

using namespace seq2seq; // whose models are compared

/// An intervention on translations, and how many of them it changed.
struct Outcome {
    std::size_t n = 0;
    std::size_t n_unchanged = 0; // translations that stayed as they were, word by word
    std::size_t n_same_word = 0; // the word whose weight it was stayed; of zeroed weights alone

    double unchanged() const { return double(n_unchanged) / double(n); } // NaN of none
    double same_word() const { return double(n_same_word) / double(n); }
};

/// A source word that a word of the translation has its largest weight on.
struct Removal {
    std::size_t sentence = 0;
    WeightAt at;
    double weight = 0;
    Ids translation; // of the whole sentence
};

/// Whether translations depend on the words that they attend to (Jain and Wallace 2019, "Attention
/// is not Explanation"; Serrano and Smith 2019, "Is Attention Interpretable?").
struct Removals {
    /// Leaves out the source word and encodes the sentence again: input erasure (Li et al. 2016).
    Outcome deleted;
    /// Its weight set to 0 in that one step, the others divided by their sum, the encoder states as
    /// they are: weight erasure. Not where the weight is all of its row.
    Outcome zeroed;
    /// Where the row has other weights of at least `nearly` the largest: the largest, and one of
    /// the others, drawn at random.
    Outcome largest_of_near, other_of_near;
    static constexpr double nearly = 0.8;

    /// A deletion that did not change the translation: the longest right translation with a weight
    /// over 0.9.
    std::optional<Removal> example;
};

/// Translates each of the first `n_sentences`, then again after each intervention: on each source
/// word that some word of the translation has its largest weight on, in the first such step. The
/// end of the source is not a word, and sources of one word are skipped.
Removals try_removals(const Model<float>& model, Workers& workers,
                      const std::vector<Example>& examples, std::size_t n_sentences);

} // namespace comparison
