#include "seq2seq/bleu.hpp"

#include <doctest/doctest.h>

using namespace seq2seq;

namespace {

// The example of sacreBLEU's own documentation.
const std::vector<std::string> system_lines{"The dog bit the man.", "It wasn't surprising.",
                                            "The man had just bitten him."};
const std::vector<std::string> A{"The dog bit the man.", "It was not unexpected.",
                                 "The man bit him first."};
template <class Cut>
std::vector<Words> all(const std::vector<std::string>& lines, const Cut& cut) {
    std::vector<Words> sentences;
    for (const std::string& line : lines) {
        sentences.push_back(cut(line));
    }
    return sentences;
}

doctest::Approx exactly(double value) {
    return doctest::Approx(value).epsilon(1e-8);
}

} // namespace

TEST_CASE("bleu: sacreBLEU's example, with the counts behind the score") {
    const Bleu result = bleu(all(system_lines, tokenize_13a), all(A, tokenize_13a));
    CHECK(result.score == exactly(45.06750632));
    CHECK(result.matches == std::array<std::size_t, 4>{12, 6, 4, 3});
    CHECK(result.totals == std::array<std::size_t, 4>{17, 14, 11, 8});
}

TEST_CASE("bleu: empty hypotheses score 0") {
    CHECK(bleu({{}, {}, {}}, all(A, split)).score == 0);
}

TEST_CASE("bleu_from_counts: each order without a match counts half of the one before") {
    CHECK(bleu_from_counts({9, 7, 5, 3}, {10, 8, 6, 4}, 11, 11).score == exactly(83.75922397));
    CHECK(bleu_from_counts({6, 5, 4, 0}, {6, 5, 4, 3}, 6, 6).score == exactly(63.89431042));
    CHECK(bleu_from_counts({5, 0, 0, 0}, {9, 7, 5, 3}, 9, 12).score == exactly(6.83242272));
}

TEST_CASE("tokenize_13a: punctuation is a token of its own, but not within numbers") {
    CHECK(join(tokenize_13a("Hello, world! It costs $1,234.56 (US).")) ==
          "Hello , world ! It costs $ 1,234.56 ( US ) .");
    CHECK(join(tokenize_13a("&quot;A&amp;B&quot; 1990-1991, e.g. x-ray")) ==
          "\" A & B \" 1990 - 1991 , e . g . x-ray");
    CHECK(join(tokenize_13a("Bonjour\u00A0! Il est 10\u202Fh.")) == "Bonjour ! Il est 10 h .");
}
