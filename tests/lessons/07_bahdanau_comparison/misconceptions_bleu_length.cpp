// Wrong versions of 07.4: which of several references sets the length, and what is counted at all.

#include <algorithm>
#include <cmath>

#include "wrong_bleu.hpp"

namespace misconceptions_bleu_length {

using namespace wrong_bleu;

namespace {

MISCONCEPTION(bleu, longest_reference,
              "of several references the longest sets the length. It is the one whose length is "
              "closest to the hypothesis' own.",
              length_by([](double, const std::vector<double>& lengths) {
                  return largest(lengths);
              }));

MISCONCEPTION(bleu, shortest_reference,
              "of several references the shortest sets the length. It is the one whose length is "
              "closest to the hypothesis' own.",
              length_by([](double, const std::vector<double>& lengths) {
                  return smallest(lengths);
              }));

MISCONCEPTION(bleu, length_of_the_first,
              "of several references the first sets the length. It is the one whose length is "
              "closest to the hypothesis' own.",
              length_by([](double, const std::vector<double>& lengths) {
                  return lengths.front();
              }));

MISCONCEPTION(bleu, mean_length,
              "the lengths of a sentence's references are averaged. The one that is closest to the "
              "hypothesis' own counts, alone.",
              length_by([](double, const std::vector<double>& lengths) {
                  return sum(lengths) / static_cast<double>(lengths.size());
              }));

MISCONCEPTION(bleu, summed_length,
              "the lengths of all of a sentence's references are added up, and every hypothesis "
              "looks short beside them. The one that is closest to its own length counts, alone.",
              length_by([](double, const std::vector<double>& lengths) { return sum(lengths); }));

/// The first of the lengths that are closest to a hypothesis' own.
template <class Iterator>
double closest(Iterator first, Iterator last, double own) {
    return *std::min_element(
        first, last, [=](double a, double b) { return std::abs(a - own) < std::abs(b - own); });
}

MISCONCEPTION(bleu, longer_of_equally_close,
              "of two references that are equally close in length the longer one counts here. It "
              "is the shorter that does.",
              length_by([](double own, std::vector<double> lengths) {
                  std::sort(lengths.rbegin(), lengths.rend());
                  return closest(lengths.begin(), lengths.end(), own);
              }));

MISCONCEPTION(bleu, last_of_equally_close,
              "of two references that are equally close in length the one that comes last counts "
              "here, as a comparison with <= does. It is the shorter that does, wherever it is.",
              length_by([](double own, const std::vector<double>& lengths) {
                  return closest(lengths.rbegin(), lengths.rend(), own);
              }));

MISCONCEPTION(bleu, first_of_equally_close,
              "of two references that are equally close in length the one that comes first counts "
              "here. It is the shorter that does, wherever it stands.",
              length_by([](double own, const std::vector<double>& lengths) {
                  return closest(lengths.begin(), lengths.end(), own);
              }));

// ---- which sentences and n-grams are counted

/// The right score of a corpus that has been changed; lengths: those of the corpus as it was.
template <class Change>
auto of_changed(Change change, bool lengths_of_the_right_one) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        Corpus changed = hypotheses;
        References with = references;
        change(changed, with);
        Tally tally = tally_of(changed, with);
        if (lengths_of_the_right_one) {
            const Tally right = tally_of(hypotheses, references);
            tally.length = right.length;
            tally.reference_length = right.reference_length;
        }
        return right_score(tally);
    });
}

MISCONCEPTION(bleu, last_word_in_no_ngram,
              "the last n-gram of each hypothesis is not counted: the loop ends one too early.",
              of_changed(
                  [](Corpus& hypotheses, References&) {
                      for (Words& words : hypotheses) {
                          words.resize(words.empty() ? 0 : words.size() - 1);
                      }
                  },
                  true));
MISCONCEPTION(bleu, short_sentences_left_out,
              "sentences of fewer than four words are left out. They have no four words in a row, "
              "but their shorter n-grams and their length count.",
              of_changed(
                  [](Corpus& hypotheses, References& references) {
                      Corpus long_ones;
                      References theirs;
                      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                          if (hypotheses[i].size() >= 4) {
                              long_ones.push_back(hypotheses[i]);
                              theirs.push_back(references[i]);
                          }
                      }
                      hypotheses = long_ones;
                      references = theirs;
                  },
                  false));
MISCONCEPTION(bleu, references_cut_to_length,
              "a reference is looked at only as far as the hypothesis is long. An n-gram may be "
              "found anywhere in it.",
              of_changed(
                  [](Corpus& hypotheses, References& references) {
                      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                          for (Words& words : references[i]) {
                              words.resize(std::min(words.size(), hypotheses[i].size()));
                          }
                      }
                  },
                  true));
MISCONCEPTION(bleu, words_sorted,
              "the words are sorted before n-grams are made of them. Their order counts.",
              of_changed(
                  [](Corpus& hypotheses, References& references) {
                      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                          std::sort(hypotheses[i].begin(), hypotheses[i].end());
                          for (Words& words : references[i]) {
                              std::sort(words.begin(), words.end());
                          }
                      }
                  },
                  false));
MISCONCEPTION(bleu, closest_to_the_mean_length,
              "the reference is chosen whose length is closest to that of an average hypothesis. "
              "Each sentence has its own.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  const double mean =
                      tally.length /
                      static_cast<double>(std::max<std::size_t>(1, hypotheses.size()));
                  tally.reference_length = 0;
                  for (const auto& translations : references) {
                      std::vector<double> lengths;
                      for (const Words& words : translations) {
                          lengths.push_back(static_cast<double>(words.size()));
                      }
                      tally.reference_length += wrong_bleu::closest(mean, lengths);
                  }
                  return right_score(tally);
              }));
MISCONCEPTION(bleu, second_n_without_a_match_is_0,
              "one n without a match is smoothed, and with a second one the score is 0. The k-th "
              "of them gets 1 / (2^k · totals).",
              score_where_counted([](const Tally& tally) {
                  const auto without = std::count(tally.matches.begin(), tally.matches.end(), 0.0);
                  return without > 1 ? 0.0 : right_score(tally);
              }));

/// totals(n) sums size − n + 1 over all sentences, of fewer words, too.
template <class Number>
auto totals_summed_in() {
    return checked([](const Corpus& hypotheses, const References& references) {
        Tally tally = tally_of(hypotheses, references);
        for (std::size_t n = 1; n <= 4; ++n) {
            Number total = 0;
            for (const Words& hypothesis : hypotheses) {
                total += static_cast<Number>(hypothesis.size()) - static_cast<Number>(n) + 1;
            }
            tally.totals[n - 1] = static_cast<double>(total);
        }
        return right_score(tally);
    });
}

MISCONCEPTION(bleu, short_sentences_take_off_in_unsigned,
              "a sentence of fewer than n − 1 words has size − n + 1 n-grams here, which is below "
              "0, and takes off some of the other sentences'; std::size_t, which begins again at "
              "2^64, hides that until the whole sum is below 0 and comes out near 2^64. Such a "
              "sentence has none: count only where size >= n.",
              totals_summed_in<std::size_t>());
MISCONCEPTION(bleu, short_sentences_take_off,
              "a sentence of fewer than n − 1 words has size − n + 1 n-grams here, which is below "
              "0, and takes off some of the other sentences'. It has none: count only where "
              "size >= n.",
              totals_summed_in<std::ptrdiff_t>());

MISCONCEPTION(bleu, counts_of_earlier_hypotheses_kept,
              "the n-grams of earlier hypotheses are counted again with each sentence: their map "
              "is declared outside the loop over the sentences. Each sentence begins with an empty "
              "one.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  std::array<Counts, 4> counts;
                  tally.matches = {};
                  tally.totals = {};
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      for (std::size_t n = 1; n <= 4; ++n) {
                          for (const auto& [ngram, count] :
                               lesson::count_ngrams(hypotheses[i], n)) {
                              counts[n - 1][ngram] += count;
                          }
                          std::vector<Counts> theirs;
                          for (const Words& reference : references[i]) {
                              theirs.push_back(lesson::count_ngrams(reference, n));
                          }
                          for (const auto& [ngram, count] : counts[n - 1]) {
                              std::vector<double> found;
                              for (const Counts& in_reference : theirs) {
                                  const auto at = in_reference.find(ngram);
                                  found.push_back(at == in_reference.end()
                                                      ? 0
                                                      : static_cast<double>(at->second));
                              }
                              const auto own = static_cast<double>(count);
                              tally.matches[n - 1] += clipped(own, found);
                              tally.totals[n - 1] += own;
                          }
                      }
                  }
                  return right_score(tally);
              }));

MISCONCEPTION(bleu, zero_where_a_sentence_is_short,
              "the score is 0 as soon as one sentence has fewer than four words. It is 0 if none "
              "has as many: the sentences are counted together.",
              checked([](const Corpus& hypotheses, const References& references) {
                  const bool one_is_short =
                      std::any_of(hypotheses.begin(), hypotheses.end(),
                                  [](const Words& sentence) { return sentence.size() < 4; });
                  return one_is_short ? 0 : right_score(tally_of(hypotheses, references));
              }));

} // namespace

} // namespace misconceptions_bleu_length
