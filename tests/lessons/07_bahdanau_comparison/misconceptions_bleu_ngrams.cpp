// Wrong versions of 07.4: what an n-gram is, where it ends, and what is remembered of it.

#include "wrong_bleu.hpp"

namespace misconceptions_bleu_ngrams {

using namespace wrong_bleu;

namespace {

/// Of a sentence, how often each n-gram comes, by whatever stands for it.
using TextCounts = std::map<std::string, double>;
using Count = std::function<TextCounts(const Words& sentence, std::size_t n)>;

/// What is done right, but for how n-grams are counted.
Tally tally_by(const Corpus& hypotheses, const References& references, const Count& count) {
    Tally tally;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        std::vector<double> lengths;
        for (const Words& reference : references[i]) {
            lengths.push_back(static_cast<double>(reference.size()));
        }
        const auto own = static_cast<double>(hypotheses[i].size());
        tally.length += own;
        tally.reference_length += closest(own, lengths);
        for (std::size_t n = 1; n <= 4; ++n) {
            TextCounts most;
            for (const Words& reference : references[i]) {
                for (const auto& [text, times] : count(reference, n)) {
                    most[text] = std::max(most[text], times);
                }
            }
            for (const auto& [text, times] : count(hypotheses[i], n)) {
                tally.matches[n - 1] += std::min(times, most[text]);
                tally.totals[n - 1] += times;
            }
        }
    }
    return tally;
}

auto counted_by(Count count) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        return right_score(tally_by(hypotheses, references, count));
    });
}

/// The words from first to last with a blank after each: no word has one in it.
std::string text_of(const Words& sentence, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        text += sentence[i] + " ";
    }
    return text;
}

MISCONCEPTION(bleu, ngrams_from_every_word,
              "an n-gram begins at every word, also at the last ones of a sentence, where fewer "
              "than n words are left: those are counted as n-grams, too. A slice in Python, "
              "s[i:i + n], ends there without a word. A sentence of m words has m − n + 1 of them.",
              counted_by([](const Words& sentence, std::size_t n) {
                  TextCounts counts;
                  for (std::size_t i = 0; i < sentence.size(); ++i) {
                      counts[text_of(sentence, i, std::min(i + n, sentence.size()))] += 1;
                  }
                  return counts;
              }));

MISCONCEPTION(bleu, short_sentence_as_an_ngram,
              "a sentence of fewer than n words counts as one n-gram, as a whole. It has none.",
              counted_by([](const Words& sentence, std::size_t n) {
                  TextCounts counts;
                  for (std::size_t i = 0; i == 0 || i + n <= sentence.size(); ++i) {
                      counts[text_of(sentence, i, std::min(i + n, sentence.size()))] += 1;
                  }
                  return counts;
              }));

constexpr const char* says_text_cut =
    "an n-gram is written into an array of characters, and what does not fit is cut off "
    "(snprintf, strncpy): two that begin alike, with long words, count as one. A std::string is as "
    "long as it has to be, and a vector of words can be a key of a map itself.";

auto text_cut_at(std::size_t letters) {
    return counted_by([=](const Words& sentence, std::size_t n) {
        TextCounts counts;
        for (std::size_t i = 0; i + n <= sentence.size(); ++i) {
            counts[text_of(sentence, i, i + n).substr(0, letters)] += 1;
        }
        return counts;
    });
}

MISCONCEPTION(bleu, ngrams_cut_at_15, says_text_cut, text_cut_at(15));
MISCONCEPTION(bleu, ngrams_cut_at_31, says_text_cut, text_cut_at(31));
MISCONCEPTION(bleu, ngrams_cut_at_63, says_text_cut, text_cut_at(63));
MISCONCEPTION(bleu, ngrams_cut_at_99, says_text_cut, text_cut_at(99));
MISCONCEPTION(bleu, ngrams_cut_at_127, says_text_cut, text_cut_at(127));
MISCONCEPTION(bleu, ngrams_cut_at_255, says_text_cut, text_cut_at(255));
MISCONCEPTION(bleu, ngrams_cut_at_511, says_text_cut, text_cut_at(511));
MISCONCEPTION(bleu, ngrams_cut_at_1023, says_text_cut, text_cut_at(1023));

/// The words themselves, cut off, before anything is made of them.
auto words_cut_at(std::size_t letters) {
    return counted_by([=](Words sentence, std::size_t n) {
        for (std::string& word : sentence) {
            word = word.substr(0, letters);
        }
        TextCounts counts;
        for (std::size_t i = 0; i + n <= sentence.size(); ++i) {
            counts[text_of(sentence, i, i + n)] += 1;
        }
        return counts;
    });
}

constexpr const char* says_word_cut =
    "only so many letters of a word are kept or compared (strncmp, an array of characters): two "
    "long words that begin alike count as one. Compare whole words, as == of std::string does.";

MISCONCEPTION(bleu, words_cut_at_7, says_word_cut, words_cut_at(7));
MISCONCEPTION(bleu, words_cut_at_15, says_word_cut, words_cut_at(15));
MISCONCEPTION(bleu, words_cut_at_31, says_word_cut, words_cut_at(31));
MISCONCEPTION(bleu, words_cut_at_63, says_word_cut, words_cut_at(63));
MISCONCEPTION(bleu, words_cut_at_127, says_word_cut, words_cut_at(127));
MISCONCEPTION(bleu, words_cut_at_255, says_word_cut, words_cut_at(255));

// ---- what is remembered, and where a search ends

MISCONCEPTION(bleu, remembered_by_the_hypothesis,
              "what a hypothesis counts is remembered, and used again where the same words come "
              "again. Its references may be others then: sentence i has references[i].",
              checked([](const Corpus& hypotheses, References references) {
                  std::map<Words, std::vector<Words>> of_the_first;
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      of_the_first.try_emplace(hypotheses[i], references[i]);
                      references[i] = of_the_first.at(hypotheses[i]);
                  }
                  return right_score(tally_of(hypotheses, references));
              }));

/// The references up to the first that is as long as the hypothesis.
References up_to_equal_length(const Corpus& hypotheses, References references) {
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        auto& of_one = references[i];
        const auto found = std::find_if(of_one.begin(), of_one.end(), [&](const Words& words) {
            return words.size() == hypotheses[i].size();
        });
        of_one.erase(found == of_one.end() ? found : found + 1, of_one.end());
    }
    return references;
}

MISCONCEPTION(bleu, references_end_at_equal_length,
              "the loop over the references ends at one that is as long as the hypothesis, since "
              "none can be closer. The n-grams of those after it still count: end only the search "
              "for the length.",
              checked([](const Corpus& hypotheses, const References& references) {
                  return right_score(
                      tally_of(hypotheses, up_to_equal_length(hypotheses, references)));
              }));

MISCONCEPTION(bleu, closest_in_proportion,
              "of several references the one that is closest in proportion sets the length: twice "
              "as long is taken to be as far off as half as long. It is the difference of the "
              "lengths that counts, 8 and 12 words are equally far from 10.",
              length_by([](double own, std::vector<double> lengths) {
                  std::sort(lengths.begin(), lengths.end());
                  const auto apart = [=](double a) {
                      const double less = std::min(a, own), more = std::max(a, own);
                      return less == more ? 1 : less > 0 ? more / less : more * 1e6;
                  };
                  return *std::min_element(lengths.begin(), lengths.end(),
                                           [&](double a, double b) { return apart(a) < apart(b); });
              }));

} // namespace

} // namespace misconceptions_bleu_ngrams
