// 12.3 encode

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "exports.hpp"
#include "judge/expect.hpp"

namespace of_encode {

using llama::Tokens;
using with_pieces::Pieces;

Tokens right(const std::string& text, const llama::Vocabulary& vocabulary) {
    Tokens tokens{1};
    std::string character;
    const std::string marked = text.empty() ? "" : " " + text;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        character += marked[i];
        if (i + 1 < marked.size() && static_cast<unsigned char>(marked[i + 1]) >> 6U == 2) {
            continue; // the next byte goes on with it
        }
        if (const auto token = vocabulary.find(character)) {
            tokens.push_back(*token);
        } else {
            for (const char byte : character) {
                tokens.push_back(3U + static_cast<unsigned char>(byte));
            }
        }
        character.clear();
    }
    using ScoreAndPlace = std::pair<double, std::size_t>;
    while (true) {
        std::map<ScoreAndPlace, std::size_t> unions; // the highest score first, of equals the first
        for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
            const auto both = vocabulary.piece(tokens[i]) + vocabulary.piece(tokens[i + 1]);
            if (const auto token = vocabulary.find(both)) {
                unions[{-vocabulary.score(*token), i}] = *token;
            }
        }
        if (unions.empty()) {
            return tokens;
        }
        const std::size_t place = unions.begin()->first.second;
        tokens[place] = unions.begin()->second;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
}

void check(const std::string& text, const std::optional<Pieces>& vocabulary) {
    judge::expect_close(graded::encode(text, vocabulary),
                        right(text, with_pieces::vocabulary_of(vocabulary)));
}

/// Blank, a, b, é, c are the tokens 259 to 263; then what may be joined.
Pieces joining(const std::vector<std::string>& pieces, const std::vector<double>& scores) {
    Pieces all{{" ", "a", "b", "é", "c"}, {-96, -97, -98, -99, -99}};
    all.pieces.insert(all.pieces.end(), pieces.begin(), pieces.end());
    all.scores.insert(all.scores.end(), scores.begin(), scores.end());
    return all;
}
const Pieces few = joining({"ab", " a", "ba", "aba", "bb", "aa"}, {-1, -2, -3, -4, -3, -3});

TEST_CASE("12.3 encode: “ab”, by hand: a and b have a higher score than the blank and a") {
    judge::expect_close(graded::encode("ab", few), Tokens{1, 259, 264});
}

TEST_CASE("12.3 encode: a union waits for one with a higher score, even if it is longer") {
    check("abc", joining({" a", "ab", "c "}, {-1, -2, -3}));
    check("aéb", joining({" a", "aé", "éb"}, {-1, -2, -3}));
    check("abab", joining({"ab", "aba"}, {-2, -1})); // that the first union has made
}

TEST_CASE("12.3 encode: an empty text is the start alone") {
    check("", few);
    check("", std::nullopt);
}

TEST_CASE("12.3 encode: characters that are no piece become bytes, a line's end too") {
    for (const char* text : {"z", "a\nb", "é", "ü", "bé😀a", "√2"}) {
        check(text, few);
    }
}

TEST_CASE("12.3 encode: the highest score goes first, wherever it is, of equals the first") {
    for (const char* text : {"ba", "bab", "aaab", "abab", "bbb", "bbba", "  a", "babab ba"}) {
        check(text, few);
    }
}

TEST_CASE("12.3 encode: random texts and vocabularies, with equal scores") {
    std::mt19937_64 engine(3);
    for (int call = 0; call < 40; ++call) {
        Pieces pieces{{" ", "a", "b", "c"}, {-20, -20, -20, -20}};
        for (int i = 0; i < 12; ++i) {
            std::string piece;
            for (std::size_t length = 2 + engine() % 2; piece.size() < length;) {
                piece += " abc"[engine() % 4];
            }
            if (std::find(pieces.pieces.begin(), pieces.pieces.end(), piece) ==
                pieces.pieces.end()) {
                pieces.pieces.push_back(piece);
                pieces.scores.push_back(-double(engine() % 6));
            }
        }
        std::string text;
        for (std::size_t length = 3 + engine() % 12; text.size() < length;) {
            text += " abcd"[engine() % 5];
        }
        check(text, pieces);
    }
}

TEST_CASE("12.3 encode: sentences, in the vocabulary of the project's own model") {
    for (const char* text :
         {"Anna had lost her old key.", "xylophone", " the  end", "naïve café", "\"Where is it?\"",
          "Grandmother, 7 years old", "One morning the teacher looked for a golden whistle."}) {
        check(text, std::nullopt);
    }
}

} // namespace of_encode
