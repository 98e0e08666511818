// 07.4 bleu, against values of sacreBLEU and plain loops

#include <iterator>
#include <sstream>

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_bleu {

using namespace proof;
using lesson::Words;
using Corpus = std::vector<Words>;
using References = std::vector<Corpus>;

/// Sorted, as the set operations below want it.
std::vector<Words> ngrams(const Words& words, std::size_t n) {
    std::vector<Words> all;
    for (std::size_t place = 0; place + n <= words.size(); ++place) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(place);
        all.emplace_back(first, first + static_cast<std::ptrdiff_t>(n));
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// As sacreBLEU computes it. A union of the references' n-grams has each as often as the reference
/// that has it most often, and what the hypothesis has in common with that are its matches.
double right(const Corpus& hypotheses, const References& references) {
    std::size_t matches[4] = {}, totals[4] = {}, length = 0, reference_length = 0;
    for (std::size_t s = 0; s < hypotheses.size(); ++s) {
        const std::size_t own = hypotheses[s].size();
        // Distance and length: of two as close, the shorter.
        std::pair<std::size_t, std::size_t> closest{-1, 0};
        for (const Words& reference : references[s]) {
            const std::size_t size = reference.size();
            closest = std::min(closest, {std::max(own, size) - std::min(own, size), size});
        }
        length += own;
        reference_length += closest.second;
        for (std::size_t n = 1; n <= 4; ++n) {
            const std::vector<Words> said = ngrams(hypotheses[s], n);
            std::vector<Words> known, matched;
            for (const Words& reference : references[s]) {
                std::vector<Words> both;
                std::ranges::set_union(known, ngrams(reference, n), std::back_inserter(both));
                known = std::move(both);
            }
            std::ranges::set_intersection(said, known, std::back_inserter(matched));
            matches[n - 1] += matched.size();
            totals[n - 1] += said.size();
        }
    }
    if (matches[0] == 0 || totals[3] == 0) {
        return 0;
    }
    long double log_precision = 0, share = 1; // what an order without a match counts
    for (std::size_t n = 0; n < 4; ++n) {
        share = matches[n] > 0 ? share : share / 2;
        const long double matched = matches[n] > 0 ? static_cast<long double>(matches[n]) : share;
        log_precision += std::log(matched / static_cast<long double>(totals[n])) / 4;
    }
    const long double short_by =
        1 - static_cast<long double>(reference_length) / static_cast<long double>(length);
    return static_cast<double>(100 * std::exp(std::min(short_by, 0.0L) + log_precision));
}

Words words(const std::string& sentence) {
    std::istringstream stream(sentence);
    return {std::istream_iterator<std::string>(stream), {}};
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

void expect_score(const std::vector<std::string>& hypotheses,
                  const std::vector<std::vector<std::string>>& translations, double score,
                  double relative = 1e-10) {
    expect_close(graded::bleu(corpus(hypotheses), references(translations)), score,
                 {relative, 1e-11});
}

void expect_right(const Corpus& hypotheses, const References& translations) {
    expect_close(graded::bleu(hypotheses, translations), right(hypotheses, translations),
                 {1e-10, 1e-11});
}

double of(std::initializer_list<double> precisions) {
    double product = 1;
    for (const double p : precisions) {
        product *= p;
    }
    return 100 * std::pow(product, 0.25);
}

TEST_CASE("07.4 bleu: five words of which the last is wrong: 4/5, 3/4, 2/3 and 1/2") {
    expect_score({"the cat sat on it"}, {{"the cat sat on them"}},
                 of({4.0 / 5, 3.0 / 4, 2.0 / 3, 1.0 / 2}));
}

TEST_CASE("07.4 bleu: a word said three times counts as often as the reference has it, twice") {
    expect_score({"the the the cat sat on"}, {{"the cat sat on the mat"}},
                 of({5.0 / 6, 3.0 / 5, 2.0 / 4, 1.0 / 3}));
}

TEST_CASE("07.4 bleu: too short by two words of six, all of them right: exp(1 − 6/4)") {
    expect_score({"the cat sat on"}, {{"the cat sat on the mat"}}, 100 * std::exp(-0.5));
}

TEST_CASE("07.4 bleu: less than half as long as the reference, but right: exp(1 − 9/4)") {
    expect_score({"a b c d"}, {{"a b c d e f g h i"}}, 100 * std::exp(1 - 9.0 / 4));
}

TEST_CASE("07.4 bleu: too long is not penalised beyond what its precisions lose") {
    expect_score({"the cat sat on the mat"}, {{"the cat sat on"}},
                 of({4.0 / 6, 3.0 / 5, 2.0 / 4, 1.0 / 3}));
}

TEST_CASE("07.4 bleu: counts are added over the sentences before anything is divided") {
    expect_score({"a b c d e", "f g h i x"}, {{"a b c d e"}, {"f g h i j"}}, 83.75922397, 1e-8);
    expect_score({"a b c d e f g h i j", "x y z v"}, {{"a b c d e f g h i j"}, {"a b c d"}},
                 of({10.0 / 14, 9.0 / 12, 8.0 / 10, 7.0 / 8}));
}

TEST_CASE("07.4 bleu: lengths are added over the sentences, too: a long one makes up for a short") {
    expect_score({"a b c d", "g h i j k l"}, {{"a b c d e f"}, {"g h i j"}},
                 of({8.0 / 10, 6.0 / 8, 4.0 / 6, 2.0 / 4}));
    expect_score({"a b c d", "g h i j k"}, {{"a b c d e f"}, {"g h i j"}},
                 std::exp(1 - 10.0 / 9) * of({8.0 / 9, 6.0 / 7, 4.0 / 5, 2.0 / 3}));
}

TEST_CASE(
    "07.4 bleu: an n-gram counts at most as often as in the reference that has it most often") {
    expect_score({"a a a b c d"}, {{"a b c d e f", "a a b x y z"}},
                 of({5.0 / 6, 4.0 / 5, 3.0 / 4, 1.0 / 3}));
    expect_score({"the cat sat on a mat"}, {{"the cat sat down there now", "he sat on a mat now"}},
                 of({1, 1, 3.0 / 4, 1.0 / 3}));
}

TEST_CASE("07.4 bleu: a sentence is compared with its own references only") {
    expect_score({"a a b c d", "e f g h i"}, {{"a b c d e"}, {"a f g h i"}},
                 of({8.0 / 10, 6.0 / 8, 4.0 / 6, 2.0 / 4}));
}

TEST_CASE("07.4 bleu: the reference of the closest length counts") {
    const double longer = 100 * std::exp(1 - 6.0 / 5); // by one word
    expect_score({"a b c d e"}, {{"a b c d e f", "a b c d e f g h i", "x y"}}, longer);
    expect_score({"a b c d e"}, {{"x y", "a b c d e f g h i", "a b c d e f"}}, longer);
    expect_score({"a b c d e"}, {{"a b c d e f g h i", "a b c d e f", "x"}}, longer);
}

TEST_CASE("07.4 bleu: of two equally close lengths the shorter counts") {
    expect_score({"a b c d"}, {{"x y z", "a b c d e"}}, 100);
}

TEST_CASE("07.4 bleu: of two equally close lengths the shorter counts, even if it comes last") {
    expect_score({"a b c d"}, {{"a b c d e", "x y z"}}, 100);
}

TEST_CASE("07.4 bleu: no four words in a row match: 1/(2·3) instead of 0/3") {
    expect_score({"a b c x d e"}, {{"a b c y d e"}}, of({5.0 / 6, 3.0 / 5, 1.0 / 4, 1.0 / 6}));
    expect_score({"a b c d e f"}, {{"a b c", "b c d", "c d e", "d e f"}}, 63.89431042, 1e-8);
}

TEST_CASE("07.4 bleu: each further n without a match halves again, for any n") {
    expect_score({"a b x c d"}, {{"a b y c d"}}, of({4.0 / 5, 2.0 / 4, 1.0 / 6, 1.0 / 8}));
    expect_score({"the the the the the the the"}, {{"the cat is on the mat now"}},
                 of({2.0 / 7, 1.0 / 12, 1.0 / 20, 1.0 / 32}));
    expect_score({"mat the on sat cat the"}, {{"the cat sat on the mat"}},
                 of({1, 1.0 / 10, 1.0 / 16, 1.0 / 24}));
}

TEST_CASE("07.4 bleu: without any match, or without any four words in a row, it is 0") {
    expect_score({"a b c d e"}, {{"v w x y z"}}, 0);
    expect_score({"the cat sat"}, {{"the cat sat"}}, 0);
    expect_score({}, {}, 0);
}

TEST_CASE("07.4 bleu: an empty or short sentence adds the counts that it has, and its reference") {
    expect_score({"a b c d", ""}, {{"a b c d"}, {"e f"}}, 100 * std::exp(1 - 6.0 / 4));
    expect_score({"a b c d", "e f"}, {{"a b c d"}, {"e g"}}, of({5.0 / 6, 3.0 / 4, 1, 1}));
}

TEST_CASE(
    "07.4 bleu: sacreBLEU's example of three sentences: 48.53, and 45.07 with one reference") {
    const std::vector<std::string> cut{"The dog bit the man .", "It wasn't surprising .",
                                       "The man had just bitten him ."};
    expect_score(cut,
                 {{"The dog bit the man .", "The dog had bit the man ."},
                  {"It was not unexpected .", "No one was surprised ."},
                  {"The man bit him first .", "The man had bitten the dog ."}},
                 48.530827, 1e-7);
    expect_score(
        cut, {{"The dog bit the man ."}, {"It was not unexpected ."}, {"The man bit him first ."}},
        45.06750632, 1e-8);
}

TEST_CASE("07.4 bleu: words are the same if all their letters are") {
    expect_score({"The cat sat on The mat"}, {{"the cat sat on the Mat"}},
                 of({3.0 / 6, 2.0 / 5, 1.0 / 4, 1.0 / 6}));
    expect_score({"a bc d e f g"}, {{"ab c d e f g"}}, of({4.0 / 6, 3.0 / 5, 2.0 / 4, 1.0 / 3}));
}

TEST_CASE("07.4 bleu: sentences of any length, with one to three references") {
    std::mt19937_64 engine(redrawn(7));
    const auto some_words = [&](std::size_t n) { // the first by far the most frequent
        std::discrete_distribution<std::size_t> which{10, 5, 3, 2};
        Words found(n);
        std::ranges::generate(found, [&] {
            return std::array{"the", "cat", "saw", "dog"}[which(engine)];
        });
        return found;
    };
    for (const std::size_t n_sentences : {1U, 2U, 5U, 11U, 33U}) {
        Corpus hypotheses;
        References translations;
        for (std::size_t i = 0; i < n_sentences; ++i) {
            hypotheses.push_back(some_words(3 + 7 * i % 11));
            translations.emplace_back();
            for (std::size_t r = 0; r <= (i + n_sentences) % 3; ++r) {
                translations.back().push_back(some_words(2 + (5 * i + 3 * r) % 13));
            }
        }
        expect_right(hypotheses, translations);
    }
    expect_right({some_words(150)}, {{some_words(140), some_words(157)}});
}

TEST_CASE("07.4 bleu: refuses hypotheses without as many lists of references") {
    expect_refused(graded::bleu.attempt(corpus({"a b c d"}), {}), "no list for one hypothesis");
    expect_refused(graded::bleu.attempt(corpus({"a b c d"}), references({{"a"}, {"b"}})),
                   "two lists for one hypothesis");
    expect_refused(graded::bleu.attempt({}, references({{"a b c d"}})),
                   "one list for no hypothesis");
}

TEST_CASE("07.4 bleu: refuses a sentence that has no reference") {
    for (const auto& translations : {References{{{"a"}}, {}}, References{{}, {{"e"}}}}) {
        expect_refused(graded::bleu.attempt(corpus({"a b c d", "e"}), translations),
                       "an empty list of references");
    }
}

} // namespace of_bleu
