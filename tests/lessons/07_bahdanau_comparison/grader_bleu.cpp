// 07.4, against published values of sacreBLEU and plain loops.

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace grader_bleu {

using judge::expect_close;
using judge::expect_refused;
using lesson::Words;
using plain::Corpus;
using plain::References;

namespace {

constexpr judge::Tolerance ten_digits{1e-10, 1e-11};

Words words(const std::string& sentence) {
    std::istringstream stream(sentence);
    Words found;
    for (std::string word; stream >> word;) {
        found.push_back(word);
    }
    return found;
}

Corpus corpus(const std::vector<std::string>& sentences) {
    Corpus found;
    for (const std::string& sentence : sentences) {
        found.push_back(words(sentence));
    }
    return found;
}

/// translations[i]: of sentence i.
References references(const std::vector<std::vector<std::string>>& translations) {
    References found;
    for (const std::vector<std::string>& sentences : translations) {
        found.push_back(corpus(sentences));
    }
    return found;
}

void expect_bleu(const Corpus& hypotheses, const References& translations, double score) {
    expect_close(graded::bleu(hypotheses, translations), score, ten_digits);
}

/// score: as sacreBLEU prints it, in eight digits.
void expect_published(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& translations, double score) {
    expect_close(graded::bleu(corpus(hypotheses), references(translations)), score, {1e-8, 0});
}

void expect_score(const std::vector<std::string>& hypotheses,
                  const std::vector<std::vector<std::string>>& translations, double score) {
    expect_bleu(corpus(hypotheses), references(translations), score);
}

/// Words of an alphabet of four, the first by far the most frequent: n-grams come again.
Words some_words(std::size_t n, std::uint64_t seed) {
    Words found;
    for (const double x : drawn::standard_normal(n, seed)) {
        found.emplace_back(x < 0 ? "the" : x < 0.7 ? "cat" : x < 1.3 ? "saw" : "dog");
    }
    return found;
}

} // namespace

// ---- by hand

TEST_CASE("07.4 bleu: five words of which the last is wrong: 4/5, 3/4, 2/3 and 1/2") {
    expect_score({"the cat sat on it"}, {{"the cat sat on them"}},
                 100 * std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25));
}

TEST_CASE("07.4 bleu: a translation equal to its reference has 100, in whatever company") {
    expect_score({"the cat sat on the mat"}, {{"the cat sat on the mat"}}, 100);
    expect_score({"the cat sat on the mat"}, {{"a cat sat there", "the cat sat on the mat"}}, 100);
    expect_score({"a b c d", "e f g h i"}, {{"a b c d"}, {"e f g h i"}}, 100);
}

TEST_CASE("07.4 bleu: a word said three times counts as often as the reference has it, twice") {
    expect_score({"the the the cat sat on"}, {{"the cat sat on the mat"}},
                 100 * std::pow(5.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25));
}

TEST_CASE("07.4 bleu: too short by two words of six, all of them right: exp(1 − 6/4)") {
    expect_score({"the cat sat on"}, {{"the cat sat on the mat"}}, 100 * std::exp(-0.5));
    expect_score({"a b c d"}, {{"a b c d e f g h"}}, 100 * std::exp(1 - 8.0 / 4));
}

TEST_CASE("07.4 bleu: too long is not penalised beyond what its precisions lose") {
    expect_score({"the cat sat on the mat"}, {{"the cat sat on"}},
                 100 * std::pow(4.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25));
}

TEST_CASE("07.4 bleu: counts are added over the sentences before anything is divided") {
    // One sentence right, the other with its last word wrong: 9/10, 7/8, 5/6, 3/4.
    expect_published({"a b c d e", "f g h i x"}, {{"a b c d e"}, {"f g h i j"}}, 83.75922397);
    // A long one and a short one, only the long one right.
    expect_score({"a b c d e f g h i j", "x y z v"}, {{"a b c d e f g h i j"}, {"a b c d"}},
                 100 * std::pow(10.0 / 14 * 9 / 12 * 8 / 10 * 7 / 8, 0.25));
}

TEST_CASE("07.4 bleu: lengths are added over the sentences, too: a long one makes up for a short") {
    expect_score({"a b c d", "g h i j k l"}, {{"a b c d e f"}, {"g h i j"}},
                 100 * std::pow(8.0 / 10 * 6 / 8 * 4 / 6 * 2 / 4, 0.25));
    expect_score({"a b c d", "g h i j k"}, {{"a b c d e f"}, {"g h i j"}},
                 100 * std::exp(1 - 10.0 / 9) * std::pow(8.0 / 9 * 6 / 7 * 4 / 5 * 2 / 3, 0.25));
}

TEST_CASE("07.4 bleu: an n-gram may be found in any reference, no more often than in one of them") {
    expect_score({"a a a b c d"}, {{"a b c d e f", "a a b x y z"}},
                 100 * std::pow(5.0 / 6 * 4 / 5 * 3 / 4 * 1 / 3, 0.25));
    expect_score({"the cat sat on a mat"}, {{"the cat sat down there now", "he sat on a mat now"}},
                 100 * std::pow(3.0 / 4 * 1 / 3, 0.25));
}

TEST_CASE("07.4 bleu: the words of one sentence are not found in the reference of another") {
    expect_score({"a b c d e", "v w x y z"}, {{"a b c d e"}, {"a b c d e"}},
                 100 * std::pow(1.0 / 16, 0.25));
    expect_score({"a a b c d", "e f g h i"}, {{"a b c d e"}, {"a f g h i"}},
                 100 * std::pow(8.0 / 10 * 6 / 8 * 4 / 6 * 2 / 4, 0.25));
}

TEST_CASE("07.4 bleu: no n-gram reaches from one sentence into the next") {
    expect_score({"a b c d", "e f g h"}, {{"a b c d"}, {"e x g h"}},
                 100 * std::pow(7.0 / 8 * 4 / 6 * 2 / 4 * 1 / 2, 0.25));
}

TEST_CASE("07.4 bleu: the order of the words counts") {
    expect_score({"mat the on sat cat the"}, {{"the cat sat on the mat"}},
                 100 * std::pow(1.0 / (2 * 5) / (4 * 4) / (8 * 3), 0.25));
}

// ---- the length that counts

TEST_CASE("07.4 bleu: of several references the one of the closest length counts") {
    const std::string five = "a b c d e";
    const double longer = 100 * std::exp(1 - 6.0 / 5); // by one word
    expect_score({five}, {{"a b c d e f", "a b c d e f g h i", "x y"}}, longer);
    expect_score({five}, {{"x y", "a b c d e f g h i", "a b c d e f"}}, longer);
    expect_score({five}, {{"a b c d e f g h i", "a b c d e f", "x"}}, longer);
}

TEST_CASE("07.4 bleu: of two equally close lengths the shorter counts, whichever comes first") {
    expect_score({"a b c d"}, {{"x y z", "a b c d e"}}, 100);
}

TEST_CASE("07.4 bleu: of two equally close lengths the shorter counts, if it comes last as well") {
    const std::string four = "a b c d";
    expect_score({four}, {{"a b c d e", "x y z"}}, 100);
    expect_score({four}, {{"a b c d e f", "x y", "x z"}}, 100);
}

TEST_CASE("07.4 bleu: as long as the reference, the penalty is exactly 1; a word less, below") {
    expect_score({"a b c d x"}, {{"a b c d e"}},
                 100 * std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25));
    expect_score({"a b c d"}, {{"a b c d e"}}, 100 * std::exp(1 - 5.0 / 4));
}

TEST_CASE("07.4 bleu: less than half as long as the reference, but right") {
    expect_score({"a b c d"}, {{"a b c d e f g h i"}}, 100 * std::exp(1 - 9.0 / 4));
}

// ---- what has no match

TEST_CASE("07.4 bleu: no four words in a row match: 1/(2·3) in place of 0/3") {
    expect_score({"a b c x d e"}, {{"a b c y d e"}},
                 100 * std::pow(5.0 / 6 * 3 / 5 * 1 / 4 / (2 * 3), 0.25));
    expect_published({"a b c d e f"}, {{"a b c", "b c d", "c d e", "d e f"}}, 63.89431042);
}

TEST_CASE("07.4 bleu: a second n without a match halves again: 1/(2·3) and 1/(4·2)") {
    expect_score({"a b x c d"}, {{"a b y c d"}},
                 100 * std::pow(4.0 / 5 * 2 / 4 / (2 * 3) / (4 * 2), 0.25));
}

TEST_CASE("07.4 bleu: one word said seven times: no bigram matches, 1/(2·6), 1/(4·5), 1/(8·4)") {
    expect_score({"the the the the the the the"}, {{"the cat is on the mat now"}},
                 100 * std::pow(2.0 / 7 / (2 * 6) / (4 * 5) / (8 * 4), 0.25));
}

TEST_CASE("07.4 bleu: each further n without a match halves again, and 9 words are short of 12") {
    expect_published({"a b c d e", "f g h i"}, {{"e x d x c x"}, {"g x f x y z"}}, 6.83242272);
}

TEST_CASE("07.4 bleu: without any match it is 0, and nothing makes up for that") {
    expect_score({"a b c d e"}, {{"v w x y z"}}, 0);
}

TEST_CASE("07.4 bleu: where no sentence has four words there is nothing to count: 0") {
    expect_score({"the cat sat"}, {{"the cat sat"}}, 0);
    expect_score({"a b", "c"}, {{"a b"}, {"c"}}, 0);
    expect_score({"", "", ""}, {{"a b c d"}, {"e"}, {"f g"}}, 0);
    expect_bleu(Corpus{}, References{}, 0);
}

TEST_CASE("07.4 bleu: a sentence that is empty or short adds what it has, and its reference") {
    expect_score({"a b c d", ""}, {{"a b c d"}, {"e f"}}, 100 * std::exp(1 - 6.0 / 4));
    expect_score({"a b c d", "e f"}, {{"a b c d"}, {"e g"}}, 100 * std::pow(5.0 / 6 * 3 / 4, 0.25));
    expect_score({"a b c d", "e"}, {{"a b c d"}, {"", "e f g"}}, 100);
}

TEST_CASE("07.4 bleu: a single sentence is a corpus like any other, short, long or empty") {
    expect_score({"a b c d e"}, {{"x y", "a b c d e f", "a b c"}}, 100 * std::exp(1 - 6.0 / 5));
    expect_score({"a"}, {{"a"}}, 0);
    expect_score({"a b c"}, {{"a b c d"}}, 0);
    expect_score({""}, {{"a"}}, 0);
    expect_score({"a b c d"}, {{""}}, 0);
    expect_score({"a b c d"}, {{"a b c d", ""}}, 100);
    expect_score({"a b c d e"}, {{"", "a x c d e"}},
                 100 * std::pow(4.0 / 5 * 2 / 4 * 1 / 3 / (2 * 2), 0.25));
    expect_score({"a a a a a"}, {{"a a a a"}},
                 100 * std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25));
}

// ---- sacreBLEU's own

const std::vector<std::string> example{"The dog bit the man.", "It wasn't surprising.",
                                       "The man had just bitten him."};
const std::vector<std::string> example_cut{"The dog bit the man .", "It wasn't surprising .",
                                           "The man had just bitten him ."};

TEST_CASE("07.4 bleu: sacreBLEU's example, three sentences with two references: 49.19") {
    expect_published(example,
                     {{"The dog bit the man.", "The dog had bit the man."},
                      {"It was not unexpected.", "No one was surprised."},
                      {"The man bit him first.", "The man had bitten the dog."}},
                     49.1919566);
}

TEST_CASE("07.4 bleu: the same with the full stops cut off: 48.53, and 45.07 with one reference") {
    expect_published(example_cut,
                     {{"The dog bit the man .", "The dog had bit the man ."},
                      {"It was not unexpected .", "No one was surprised ."},
                      {"The man bit him first .", "The man had bitten the dog ."}},
                     48.530827);
    expect_published(
        example_cut,
        {{"The dog bit the man ."}, {"It was not unexpected ."}, {"The man bit him first ."}},
        45.06750632);
}

// ---- many

TEST_CASE("07.4 bleu: sentences of any length, with one to three references, as plain loops") {
    for (const std::size_t n_sentences : {1U, 2U, 5U, 11U, 17U, 33U}) {
        Corpus hypotheses;
        References translations;
        for (std::size_t i = 0; i < n_sentences; ++i) {
            const std::uint64_t seed = 100 * n_sentences + 10 * i;
            hypotheses.push_back(some_words(5 + 7 * i % 11, seed));
            translations.emplace_back();
            for (std::size_t r = 0; r <= (i + n_sentences) % 3; ++r) {
                translations.back().push_back(some_words(4 + (5 * i + 3 * r) % 13, seed + r + 1));
            }
        }
        expect_bleu(hypotheses, translations, plain::bleu(hypotheses, translations));
    }
}

TEST_CASE("07.4 bleu: words of other letters are other words") {
    expect_score({"The cat sat on The mat"}, {{"the cat sat on the Mat"}},
                 100 * std::pow(3.0 / 6 * 2 / 5 * 1 / 4 / (2 * 3), 0.25));
}

TEST_CASE("07.4 bleu: a sentence of 270 words, and 271 sentences") {
    expect_bleu({some_words(270, 7)}, {{some_words(260, 8), some_words(277, 9)}},
                plain::bleu({some_words(270, 7)}, {{some_words(260, 8), some_words(277, 9)}}));
    Corpus hypotheses;
    References translations;
    for (std::size_t i = 0; i < 271; ++i) {
        hypotheses.push_back(some_words(4 + i % 3, 1000 + i));
        translations.push_back({some_words(4 + i % 4, 2000 + i)});
    }
    expect_bleu(hypotheses, translations, plain::bleu(hypotheses, translations));
}

TEST_CASE("07.4 bleu: a sentence of 1031 words, and 5003 sentences of few") {
    // Of few different words, which are soon counted.
    Words sentence(1031, "a"), reference(1033, "a");
    for (std::size_t i = 60; i < sentence.size(); i += 97) {
        sentence[i] = "b";
        reference[i / 2 * 2] = "b";
    }
    expect_bleu({sentence}, {{reference}}, plain::bleu({sentence}, {{reference}}));
    Corpus hypotheses{some_words(5, 12)};
    References translations{{some_words(5, 12)}};
    while (hypotheses.size() < 5003) {
        hypotheses.push_back({hypotheses.size() % 7 == 0 ? "a" : "b"});
        translations.push_back({{hypotheses.size() % 5 == 0 ? "a" : "b"}});
    }
    expect_bleu(hypotheses, translations, plain::bleu(hypotheses, translations));
}

TEST_CASE(
    "07.4 bleu: a word ends where it ends: \"a bc\" is not \"ab c\", nor \"a\" and \"b\" \"a b\"") {
    expect_score({"a bc d e f g"}, {{"ab c d e f g"}},
                 100 * std::pow(4.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25));
    expect_score({"the rapist saw it all"}, {{"therapist saw it all"}},
                 100 * std::pow(3.0 / 5 * 2 / 4 * 1 / 3 / (2 * 2), 0.25));
}

TEST_CASE("07.4 bleu: words may hold a mark that n-grams are joined with") {
    for (const std::string mark : {"_", "-", "|", ",", "/", "#", ".", "+"}) {
        const std::string left = "a" + mark, right = mark + "b";
        expect_bleu({{left, "b", "c", "d", "e"}}, {{{"a", right, "c", "d", "e"}}},
                    100 * std::pow(3.0 / 5 * 2 / 4 * 1 / 3 / (2 * 2), 0.25));
        expect_bleu({{"a" + right, "c", "d", "e", "f", "g"}},
                    {{{"a", "b" + mark + "c", "d", "e", "f", "g"}}},
                    100 * std::pow(4.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25));
    }
}

TEST_CASE("07.4 bleu: sentences of the same words that begin and end alike are not the same") {
    expect_score({"a b c d e f", "a d c b e f"}, {{"a b c d e f"}, {"a d c b e f"}}, 100);
    const Corpus hypotheses = corpus({"a b c d e f", "a d c b e f", "a c b d e f"});
    const References translations =
        references({{"a d c b e f"}, {"a b c d e f"}, {"a b c d e f", "a c b d e f"}});
    expect_bleu(hypotheses, translations, plain::bleu(hypotheses, translations));
}

TEST_CASE("07.4 bleu: refuses hypotheses without as many lists of references") {
    expect_refused(graded::bleu.attempt(corpus({"a b c d"}), {}), "no list for one hypothesis");
    expect_refused(graded::bleu.attempt(corpus({"a b c d"}), references({{"a"}, {"b"}})),
                   "two lists for one hypothesis");
    expect_refused(graded::bleu.attempt({}, references({{"a b c d"}})),
                   "one list for no hypothesis");
    expect_refused(graded::bleu.attempt(corpus({"a b c d", "e f"}), references({{"a b c d"}})),
                   "one list for two hypotheses");
}

TEST_CASE("07.4 bleu: refuses a sentence that has no reference") {
    expect_refused(graded::bleu.attempt(corpus({"a b c d", "e"}), references({{"a b c d"}, {}})),
                   "an empty list of references");
    expect_refused(graded::bleu.attempt(corpus({"a b c d", "e"}), references({{}, {"e"}})),
                   "an empty list of references");
    expect_refused(graded::bleu.attempt(corpus({""}), references({{}})),
                   "an empty list of references");
    expect_refused(graded::bleu.attempt(corpus({"a b c d"}), references({{}})),
                   "an empty list of references");
}

} // namespace grader_bleu
