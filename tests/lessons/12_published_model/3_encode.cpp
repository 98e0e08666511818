// 12.3 encode

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_encode {

using namespace proof;
using from_files::Pieces;
using llama::Tokens;

// Tokens 259 to 263 are characters, and 264 to 272 what may be joined.
const Pieces few{{" ", "a", "b", "é", "c", "ab", " a", "bb", "ba", "aba", "aa", "bca", "cab", "aé"},
                 {-9, -9, -9, -9, -9, -2, -3, -6, -4, -1, -6, -6, -1, -5}};

void check(const std::string& text, const std::optional<Pieces>& vocabulary,
           const Tokens& expected) {
    expect_close(graded::encode(text, vocabulary), expected);
}

TEST_CASE("12.3 encode: “ab”, by hand: a and b have a higher score than the blank and a") {
    check("ab", few, {1, 259, 264});
}

TEST_CASE("12.3 encode: an empty text is the start alone") {
    check("", few, {1});
}

TEST_CASE("12.3 encode: characters that are no piece become bytes, a line's end too") {
    check("z", few, {1, 259, 125});
    check("é", few, {1, 259, 262});
    check("a\nb", few, {1, 265, 13, 261});
    check("ü", few, {1, 259, 198, 191});
    check("bé😀a", few, {1, 259, 261, 262, 243, 162, 155, 131, 260});
}

TEST_CASE("12.3 encode: the highest score goes first, wherever it is, of equals the first") {
    check("aé", few, {1, 265, 262});
    check("bbb", few, {1, 259, 266, 261});
    check("aaa", few, {1, 265, 269});
    check("baaa", few, {1, 259, 267, 269});
    check("bba", few, {1, 259, 261, 267});
    check("caaa", few, {1, 259, 263, 269, 260});
    check("aaab", few, {1, 265, 260, 264});
}

TEST_CASE("12.3 encode: a union is joined with others, and may have a higher score than they") {
    check("bcaba", few, {1, 259, 261, 271, 260}); // "bca" is a piece, but not of two pieces
    check("cab", few, {1, 259, 271});
    check("abaa", few, {1, 259, 268, 260});
    check("cbaba", few, {1, 259, 263, 261, 268});
    check("babab ba", few, {1, 259, 261, 268, 261, 259, 267});
    check("abab", few, {1, 259, 268, 261});
}

TEST_CASE("12.3 encode: sentences, in the vocabulary of the project's own model") {
    check("looo", std::nullopt, {1, 294, 501});
    check("Anna had lost her old key.", std::nullopt,
          {1, 319, 500, 416, 388, 352, 384, 326, 386, 385, 511, 464});
    check("xylophone", std::nullopt, {1, 460, 510, 511, 394, 502, 495, 272, 492});
    check(" the  end", std::nullopt, {1, 460, 261, 460, 332, 265});
    check("naïve café", std::nullopt, {1, 293, 488, 198, 178, 276, 300, 488, 493, 198, 172});
    check("\"Where is it?\"", std::nullopt, {1, 391, 323, 290, 285});
    check("One morning the teacher looked for a golden whistle.", std::nullopt,
          {1,   460, 479, 500, 492, 309, 299, 500, 339, 261, 260, 492, 420,
           343, 359, 419, 262, 296, 501, 386, 279, 392, 308, 301, 464});
}

} // namespace of_encode
