#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace seq2seq {

using Words = std::vector<std::string>;
using Ids = std::vector<std::size_t>;

/// The words a model knows, numbered: the four special ones first, then by falling frequency, words
/// of one frequency in alphabetic order.
class Vocabulary {
public:
    static constexpr std::size_t padding = 0, unknown = 1, begin = 2, end = 3, n_special = 4;

    /// The words that occur at least `minimum_count` times.
    /// Throws std::invalid_argument if none does.
    Vocabulary(const std::vector<Words>& sentences, std::size_t minimum_count);

    std::size_t size() const { return words_.size(); }
    /// The word's number; `unknown` for one outside the vocabulary.
    std::size_t id(const std::string& word) const;
    /// The word; "<unk>", "<s>", "</s>", "<pad>" for the special ones.
    const std::string& word(std::size_t id) const { return words_.at(id); }

    /// Numbers of the words, followed by `end`.
    Ids encode(const Words& sentence) const;
    /// Words of the numbers, up to the first `end`.
    Words decode(const Ids& ids) const;

private:
    Words words_;
    std::unordered_map<std::string, std::size_t> ids_;
};

/// The parts between white space, by Unicode's definition, which includes no-break spaces.
Words split(const std::string& line);
/// Words joined by single spaces.
std::string join(const Words& words);

} // namespace seq2seq
