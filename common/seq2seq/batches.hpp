#pragma once

#include "seq2seq/vocabulary.hpp"
#include "training/parameters.hpp"

namespace seq2seq {

using training::mix;

/// A sentence and its translation, as numbers, each ended by Vocabulary::end.
struct Example {
    Ids source, target;
};

/// Sentences side by side, padded at the end. Time steps are blocks of rows: element t · size + b
/// of `source` is word t of sentence b.
struct Batch {
    std::size_t size = 0; // sentences
    std::size_t source_steps = 0, target_steps = 0;
    Ids source;                                                  // (source_steps · size)
    std::vector<std::size_t> source_lengths;                     // (size), the end included
    std::vector<std::vector<char>> source_active, target_active; // [step][sentence]: not padding
    Ids target_in;    // (target_steps · size): what the decoder reads, begin and then the target
    Ids target_rows;  // which of the rows t · size + b are no padding …
    Ids target_words; // … and which word is to be produced there

    std::size_t n_target_words() const { return target_words.size(); }
};

/// Of one sentence or more.
Batch make_batch(const std::vector<Example>& examples, const Ids& sentences);

/// The order of an epoch: batches of at most batch_size sentences of about the same length, in
/// random order. It depends on the lengths, the seed and the epoch alone, so that every model is
/// shown the same data in the same order.
std::vector<Ids> make_epoch(const std::vector<Example>& examples, std::size_t batch_size,
                            std::uint64_t seed, std::size_t epoch);

/// All sentences, those of one length together: for decoding, where the order does not matter.
std::vector<Ids> batches_by_length(const std::vector<Example>& examples, std::size_t batch_size);

/// Sentence i goes to part i mod n_parts, so that the parts take about equally long.
Ids part_of(const Ids& sentences, std::size_t part, std::size_t n_parts);

} // namespace seq2seq
