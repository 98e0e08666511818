#include "llama/vocabulary.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace llama {

Vocabulary::Vocabulary(std::vector<std::string> pieces, std::vector<double> scores)
    : pieces_(std::move(pieces)), scores_(std::move(scores)) {
    for (std::size_t token = 0; token < pieces_.size(); ++token) {
        tokens_.try_emplace(pieces_[token], token);
    }
}

std::optional<std::size_t> Vocabulary::find(const std::string& piece) const {
    const auto found = tokens_.find(piece);
    return found == tokens_.end() ? std::nullopt : std::optional(found->second);
}

Vocabulary read_vocabulary(const std::string& bytes, std::size_t n_tokens) {
    std::vector<std::string> pieces;
    std::vector<double> scores;
    std::size_t at = 4; // after the longest length, which nobody needs
    while (pieces.size() < n_tokens && at + 8 <= bytes.size()) {
        float score = 0;
        std::uint32_t length = 0; // of −1: far too long
        std::memcpy(&score, bytes.data() + at, sizeof score);
        std::memcpy(&length, bytes.data() + at + 4, sizeof length);
        at += 8;
        if (length > bytes.size() - at) {
            break;
        }
        pieces.push_back(bytes.substr(at, length));
        scores.push_back(static_cast<double>(score));
        at += length;
    }
    if (pieces.size() != n_tokens || at != bytes.size() || n_tokens < first_piece) {
        throw std::invalid_argument("the vocabulary must have " + std::to_string(n_tokens) +
                                    " pieces, as the model has, and at least 259; its " +
                                    std::to_string(bytes.size()) +
                                    " bytes are damaged or of another model");
    }
    return {std::move(pieces), std::move(scores)};
}

std::string decode(std::size_t before, std::size_t token, const Vocabulary& vocabulary) {
    if (token >= first_byte && token < first_piece) {
        return {static_cast<char>(token - first_byte)};
    }
    const std::string& piece = vocabulary.piece(token);
    return before == start_of_text && piece.starts_with(' ') ? piece.substr(1) : piece;
}

std::string decode(const Tokens& tokens, const Vocabulary& vocabulary) {
    std::string text;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        text += decode(tokens[i - 1], tokens[i], vocabulary);
    }
    return text;
}

} // namespace llama
