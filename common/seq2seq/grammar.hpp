#pragma once

#include "seq2seq/corpus.hpp"

#include <cstdint>

namespace seq2seq {

/// How many pairs of sentences to make. Sources of the long test set have more words than any that
/// is trained on: at most `longest` there, long_from to long_to in the long test set.
struct GrammarSizes {
    std::size_t train = 8000, valid = 500, test = 500, long_test = 300;
    std::size_t longest = 14, long_from = 18, long_to = 30;
};

struct GrammarCorpus {
    std::vector<SentencePair> train, valid, test, long_test;
};

/// Sentences of a small English grammar with their French translation and its alignment. The two
/// differ in order and in form: adjectives that follow their noun and agree with it, ne … pas
/// around the verb, object pronouns before it and adverbs after it, le/la/l'/les, du, des,
/// a clause with "when" moved to the end, a time moved to the front. Some words are rare. The seed
/// decides everything; no sentence occurs in two of the sets, or twice in one.
/// Throws std::invalid_argument if the grammar has not as many sentences of such lengths.
GrammarCorpus make_grammar_corpus(const GrammarSizes& sizes, std::uint64_t seed);

} // namespace seq2seq
