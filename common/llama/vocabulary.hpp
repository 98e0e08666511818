#pragma once

// The pieces of text that a model reads and writes, and the file of llama2.c that holds them.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llama {

using Tokens = std::vector<std::size_t>;

// The first tokens are the same in every vocabulary: 0 stands for nothing known, 1 begins a text, 2
// ends one, and the next 256 are single bytes.
constexpr std::size_t start_of_text = 1, first_byte = 3, first_piece = 259;

/// Token t is the text piece(t). Of two neighbours in a text those are joined first whose union has
/// the higher score.
class Vocabulary {
public:
    /// As many scores as pieces.
    Vocabulary(std::vector<std::string> pieces, std::vector<double> scores);

    const std::vector<std::string>& pieces() const { return pieces_; }
    const std::string& piece(std::size_t token) const { return pieces_.at(token); }
    double score(std::size_t token) const { return scores_.at(token); }
    /// The token of a piece, if it is one; of equals the first.
    std::optional<std::size_t> find(const std::string& piece) const;

private:
    std::vector<std::string> pieces_;
    std::vector<double> scores_;
    std::map<std::string, std::size_t> tokens_;
};

/// Throws std::invalid_argument, in one line that says what is wrong, if the bytes do not hold so
/// many pieces.
Vocabulary read_vocabulary(const std::string& bytes, std::size_t n_tokens);

/// What a token adds to a text. After the start, a leading blank is dropped.
std::string decode(std::size_t before, std::size_t token, const Vocabulary& vocabulary);
/// The text of all tokens after the first.
std::string decode(const Tokens& tokens, const Vocabulary& vocabulary);

} // namespace llama
