#include "seq2seq/grammar.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace seq2seq;

namespace {

GrammarCorpus small_corpus(std::uint64_t seed) {
    GrammarSizes sizes;
    sizes.train = 3000;
    sizes.valid = sizes.test = sizes.long_test = 100;
    return make_grammar_corpus(sizes, seed);
}

bool same(const std::vector<SentencePair>& a, const std::vector<SentencePair>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.source == y.source && x.target == y.target && x.alignment == y.alignment;
    });
}

} // namespace

TEST_CASE("grammar: the seed decides every sentence") {
    CHECK(same(small_corpus(1).train, small_corpus(1).train));
    CHECK(!same(small_corpus(1).train, small_corpus(2).train));
}

TEST_CASE("grammar: no sentence occurs twice, and the long ones are longer than any other") {
    const GrammarCorpus corpus = small_corpus(1);
    std::set<Words> seen;
    std::size_t n = 0;
    for (const auto* set : {&corpus.train, &corpus.valid, &corpus.test, &corpus.long_test}) {
        for (const SentencePair& pair : *set) {
            seen.insert(pair.source);
            ++n;
            CHECK((set == &corpus.long_test) == (pair.source.size() > 14));
        }
    }
    CHECK(n == 3300);
    CHECK(seen.size() == n);
}

TEST_CASE("grammar: every word of a translation is aligned, to words of its sentence") {
    for (const SentencePair& pair : small_corpus(1).train) {
        REQUIRE(pair.alignment.size() == pair.target.size());
        for (const auto& from : pair.alignment) {
            REQUIRE(!from.empty());
            REQUIRE(from.back() < pair.source.size());
        }
    }
}

TEST_CASE("grammar: words that elide, contract and change before a vowel always do") {
    for (const SentencePair& pair : small_corpus(1).train) {
        const Words& fr = pair.target;
        for (std::size_t i = 0; i + 1 < fr.size(); ++i) {
            const std::string& next = fr[i + 1];
            const bool contracts =
                fr[i] == "de" && (next == "le" || next == "les" || next == "des");
            CHECK(!contracts);
            const bool elides = fr[i] == "le" || fr[i] == "la" || fr[i] == "ne" || fr[i] == "ma" ||
                                fr[i] == "ce" || fr[i] == "beau";
            CHECK(!(elides && std::string("aeiou").find(next[0]) != std::string::npos));
            CHECK(next.find('*') == std::string::npos);
        }
    }
}

TEST_CASE("grammar: a negation has ne before the verb and pas after it") {
    std::size_t negated = 0, objects_first = 0;
    for (const SentencePair& pair : small_corpus(1).train) {
        const auto count = [&](const Words& words, const char* word) {
            return std::count(words.begin(), words.end(), word);
        };
        CHECK(count(pair.source, "not") == count(pair.target, "pas"));
        CHECK(count(pair.source, "not") == count(pair.target, "ne") + count(pair.target, "n'"));
        negated += count(pair.source, "not") > 0 ? 1 : 0;
        for (std::size_t i = 0; i + 1 < pair.target.size(); ++i) { // him, her, them before the verb
            const auto& source = pair.source[pair.alignment[i].front()];
            objects_first += (source == "them" || source == "him" || source == "her") &&
                                     pair.alignment[i + 1].front() < pair.alignment[i].front()
                                 ? 1
                                 : 0;
        }
    }
    CHECK(negated > 300);
    CHECK(objects_first > 100);
}
