#include "llama/vocabulary.hpp"

#include "llama/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace llama {
namespace {

std::vector<std::string> characters_of(const std::string& text) {
    std::vector<std::string> characters;
    for (const char byte : text) { // bytes 10…… go on with a character
        if (characters.empty() || (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) {
            characters.emplace_back();
        }
        characters.back() += byte;
    }
    return characters;
}

} // namespace

std::vector<std::string> first_pieces() {
    std::vector<std::string> pieces{"<unk>", "\n<s>\n", "\n</s>\n"};
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::array<char, 8> name{};
        std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
        pieces.emplace_back(name.data());
    }
    return pieces;
}

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
        scores.push_back(static_cast<double>(number_at<float>(bytes, at)));
        const auto length = number_at<std::uint32_t>(bytes, at + 4); // of −1: far too long
        at += 8;
        if (length > bytes.size() - at) {
            break;
        }
        pieces.push_back(bytes.substr(at, length));
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

std::string write_vocabulary(const Vocabulary& vocabulary) {
    std::string bytes, pieces;
    std::size_t longest = 0;
    for (std::size_t token = 0; token < vocabulary.size(); ++token) {
        const std::string& piece = vocabulary.piece(token);
        append(pieces, static_cast<float>(vocabulary.score(token)));
        append(pieces, static_cast<std::int32_t>(piece.size()));
        pieces += piece;
        longest = std::max(longest, piece.size());
    }
    append(bytes, static_cast<std::int32_t>(longest));
    return bytes + pieces;
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

Vocabulary learn_pieces(const std::string& text, std::size_t n_tokens) {
    using Words = std::map<std::vector<std::string>, std::size_t>;
    Words words; // each in pieces, and how often it comes
    std::map<std::string, std::size_t> characters;
    std::vector<std::string> word;
    for (const std::string& character : characters_of(" " + text + " ")) {
        if ((character == " " || character == "\n") && !word.empty()) {
            ++words[std::exchange(word, {})];
        }
        if (character != "\n") { // a line's end stays a byte
            word.push_back(character);
            ++characters[character];
        }
    }
    std::vector<std::string> pieces = first_pieces();
    while (pieces.size() + characters.size() < n_tokens) {
        std::map<std::pair<std::string, std::string>, std::size_t> pairs;
        for (const auto& [parts, count] : words) {
            for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
                pairs[{parts[i], parts[i + 1]}] += count;
            }
        }
        if (pairs.empty()) {
            throw std::invalid_argument("learn_pieces: the text has too few different pairs");
        }
        const auto best =
            std::max_element(pairs.begin(), pairs.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        const auto [left, right] = best->first;
        pieces.push_back(left + right);
        Words joined;
        for (const auto& [parts, count] : words) {
            std::vector<std::string> now;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const bool both = i + 1 < parts.size() && parts[i] == left && parts[i + 1] == right;
                now.push_back(both ? left + right : parts[i]);
                i += both ? 1 : 0;
            }
            joined[now] += count;
        }
        words = std::move(joined);
    }
    for (const auto& [character, count] : characters) {
        pieces.push_back(character);
    }
    std::vector<double> scores(pieces.size(), 0.0);
    for (std::size_t token = first_piece; token < scores.size(); ++token) {
        scores[token] = -static_cast<double>(token - first_piece);
    }
    return {std::move(pieces), std::move(scores)};
}

} // namespace llama
