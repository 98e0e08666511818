#pragma once

#include "seq2seq/vocabulary.hpp"

#include <filesystem>

namespace seq2seq {

/// A sentence, its translation and, where it is known, which word comes from which.
struct SentencePair {
    Words source, target;
    /// alignment[i]: the source words of target word i, none if it has none; empty: not known.
    std::vector<std::vector<std::size_t>> alignment;
};

/// How lines are cut into words: at blanks, or with tokenize_13a for raw text.
enum class Tokenization { none, mteval_13a };

/// Words that a sentence may have: a batch's attention takes memory by their square.
constexpr std::size_t longest_sentence = 500;

/// Reads parallel text: two files, a sentence a line, or one whose lines are source, tab, target.
/// Files compressed by gzip are read as they are. A byte-order mark and Windows' line ends are
/// dropped. Throws std::invalid_argument, in one line that names file and line, if a file cannot be
/// read, is damaged, empty or too large, if the two have not as many lines, if a line is not UTF-8,
/// is empty on a side, has too many words there, or has no or more than one tab in a file of two
/// columns.
std::vector<SentencePair> read_parallel(const std::vector<std::filesystem::path>& files,
                                        Tokenization tokenization,
                                        std::size_t most_words = longest_sentence);

} // namespace seq2seq
