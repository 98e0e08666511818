// 07.4: which words and n-grams are the same, and corpora that are special but for one word.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "judge/expect.hpp"
#include "plain.hpp"

namespace grader_bleu_words {

using judge::expect_close;
using lesson::Words;
using plain::Corpus;
using plain::References;

namespace {

void expect_bleu(const Corpus& hypotheses, const References& references) {
    expect_close(graded::bleu(hypotheses, references), plain::bleu(hypotheses, references),
                 {1e-10, 1e-11});
}

/// "w0007": in the order of their numbers, if sorted.
std::string numbered(std::size_t i) {
    const std::string digits = std::to_string(i);
    return "w" + std::string(5 - digits.size(), '0') + digits;
}

/// The corpus with one word changed, for each of its words.
std::vector<Corpus> each_word_changed(const Corpus& corpus) {
    std::vector<Corpus> result;
    for (std::size_t s = 0; s < corpus.size(); ++s) {
        for (std::size_t place = 0; place < corpus[s].size(); ++place) {
            result.push_back(corpus);
            result.back()[s][place] = "other";
        }
    }
    return result;
}

const Corpus three_sentences{{"the", "cat", "saw", "a", "dog"},
                             {"it", "was", "the", "day"},
                             {"a", "dog", "saw", "the", "cat", "there"}};

} // namespace

TEST_CASE("07.4 bleu: words are the same if all their letters are") {
    // In another order, only the last ones other, far beyond what fits into a register, or of the
    // same hash code as many languages compute it (\"Aa\", \"BB\").
    const std::string many(40, 'x');
    const std::vector<std::array<std::string, 2>> different{
        {"abcd", "acbd"},         {"Aa", "BB"},          {many + "a", many + "b"},
        {"a" + many, "b" + many}, {"caf\u00e9", "cafe"}, {"dog", "dogs"},
        {"dog", "dog."},          {"1", "01"},           {"1", "1.0"},
        {"\u00e9", "\u00e8"},     {"dog", "Dog"}};
    for (const auto& [one, other] : different) {
        expect_bleu({{"a", one, "c", "d", "e"}}, {{{"a", other, "c", "d", "e"}}});
        expect_bleu({{one, other, "c", "d", "e"}}, {{{other, one, "c", "d", "e"}}});
    }
}

TEST_CASE("07.4 bleu: long words are the same if their last letters are, and n-grams of them") {
    for (const std::size_t letters : {9U, 20U, 33U, 50U, 70U, 130U, 260U, 520U, 1030U, 4100U}) {
        const std::string many(letters, 'x');
        const std::string one = many + "a", two = many + "b", three = many + "c";
        expect_bleu({{"a", one, "c", "d", "e"}}, {{{"a", two, "c", "d", "e"}}});
        expect_bleu({{one, two, three, "d", "e"}}, {{{one, two, three, "f", "e"}}});
        expect_bleu({{one, two, three, "d", "e"}}, {{{one, three, two, "d", "e"}}});
    }
}

TEST_CASE("07.4 bleu: a corpus may have thousands of different words") {
    // Sentences of words that are new, with themselves as references; and then one in which a word
    // or a pair stands for another, if words are numbered and numbers cut or put together.
    Corpus hypotheses(1);
    References references(1);
    constexpr std::size_t n_words = 4400;
    for (std::size_t i = 0; i < n_words; ++i) {
        if (hypotheses.back().size() == 11) {
            hypotheses.emplace_back();
        }
        hypotheses.back().push_back(numbered(i));
    }
    references.clear();
    for (const Words& sentence : hypotheses) {
        references.push_back({sentence});
    }
    Words said, meant;
    for (const std::size_t base : {100U, 128U, 256U, 512U, 1000U, 1024U, 2048U, 4096U}) {
        for (const std::size_t i : {std::size_t{3}, base + 7, base + 11, base + 19}) {
            said.push_back(numbered(i));
        }
        for (const std::size_t i : {4U, 7U, 11U, 19U}) {
            meant.push_back(numbered(i));
        }
    }
    hypotheses.push_back(said);
    references.push_back({meant});
    expect_bleu(hypotheses, references);
    Words long_sentence;
    for (std::size_t i = 0; i < 301; ++i) {
        long_sentence.push_back(numbered(i));
    }
    Words shifted(long_sentence.begin() + 256, long_sentence.end());
    shifted.insert(shifted.end(), long_sentence.begin(), long_sentence.begin() + 45);
    expect_bleu({long_sentence}, {{shifted}});
}

TEST_CASE("07.4 bleu: translations that are equal to their references but for one word") {
    References references;
    for (const Words& sentence : three_sentences) {
        references.push_back({sentence});
    }
    expect_bleu(three_sentences, references);
    for (const Corpus& hypotheses : each_word_changed(three_sentences)) {
        expect_bleu(hypotheses, references);
    }
    for (const Corpus& changed : each_word_changed(three_sentences)) {
        References others = references; // two of each sentence, equal but for one word
        References changed_only;
        for (std::size_t s = 0; s < changed.size(); ++s) {
            others[s].push_back(changed[s]);
            changed_only.push_back({changed[s]});
        }
        expect_bleu(three_sentences, changed_only);
        expect_bleu(changed, others);
    }
}

TEST_CASE("07.4 bleu: sentences of one word, again and again, but for one") {
    const Words same(6, "a");
    expect_bleu({same}, {{same}});
    for (const Corpus& hypotheses : each_word_changed({same})) {
        expect_bleu(hypotheses, {{same}});
        expect_bleu({same}, {hypotheses});
        expect_bleu(hypotheses, {{Words(6, "other")}});
    }
}

TEST_CASE("07.4 bleu: sentences and references of one length, but for one") {
    const Corpus four(3, Words{"a", "b", "c", "d"});
    for (std::size_t s = 0; s < four.size(); ++s) {
        for (const Words& other : {Words{"a", "b", "c", "d", "e"}, Words{"a", "b", "c"}, Words{}}) {
            Corpus changed = four;
            changed[s] = other;
            References references, of_changed;
            for (std::size_t i = 0; i < four.size(); ++i) {
                references.push_back({four[i]});
                of_changed.push_back({changed[i]});
            }
            expect_bleu(changed, references);
            expect_bleu(four, of_changed);
            expect_bleu(changed, of_changed);
        }
    }
}

TEST_CASE("07.4 bleu: where no sentence has four words it is 0, even if all are right") {
    const Words said{"the", "cat", "sat"};
    expect_bleu({said}, {{said}});
    expect_bleu({said, said}, {{said}, {said}});
    expect_bleu({said, {}}, {{said}, {{}}});
}

TEST_CASE("07.4 bleu: where no sentence has four words it is 0, even if some are right") {
    const Words said{"the", "cat", "ran"}, meant{"the", "cat", "sat"};
    expect_bleu({said}, {{meant}});
    expect_bleu({said, meant}, {{meant}, {meant}});
    expect_bleu({meant}, {{{"the", "cat", "sat", "there"}}});
}

} // namespace grader_bleu_words
