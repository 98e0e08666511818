// More wrong versions of 07.4: what is counted, and what is done where nothing is.

#include <limits>

#include "wrong_bleu.hpp"

namespace misconceptions_bleu_counts {

using namespace wrong_bleu;

namespace {

double from_logarithms(const Tally& tally, const std::vector<double>& logarithms) {
    return 100 * penalty_of(tally) * std::exp(sum(logarithms) / 4);
}

constexpr const char* says_epsilon_in_logarithm =
    "a small number is added inside the logarithm, ln(p_n + ε). That changes every score a little, "
    "and what has no match is not smoothed as sacreBLEU does it: p_n = 1 / (2^k · totals(n)).";

auto with_epsilon(double epsilon) {
    return score_where_counted([=](const Tally& tally) {
        std::vector<double> logarithms;
        for (std::size_t n = 0; n < 4; ++n) {
            logarithms.push_back(std::log(tally.matches[n] / tally.totals[n] + epsilon));
        }
        return from_logarithms(tally, logarithms);
    });
}

MISCONCEPTION(bleu, epsilon_1e_8_in_logarithm, says_epsilon_in_logarithm, with_epsilon(1e-8));
MISCONCEPTION(bleu, epsilon_1e_9_in_logarithm, says_epsilon_in_logarithm, with_epsilon(1e-9));
MISCONCEPTION(bleu, epsilon_1e_10_in_logarithm, says_epsilon_in_logarithm, with_epsilon(1e-10));

MISCONCEPTION(bleu, no_match_taken_for_1,
              "an n without a match is left out of the sum of logarithms, which is still divided "
              "by 4: that counts it as if all had matched, p_n = 1. The k-th such n gets "
              "p_n = 1 / (2^k · totals(n)).",
              score_where_counted([](const Tally& tally) {
                  std::vector<double> logarithms;
                  for (std::size_t n = 0; n < 4; ++n) {
                      logarithms.push_back(
                          tally.matches[n] > 0 ? std::log(tally.matches[n] / tally.totals[n]) : 0);
                  }
                  return from_logarithms(tally, logarithms);
              }));

MISCONCEPTION(bleu, exclusive_or_for_a_power,
              "2 ^ k is no power in C++ but an exclusive or: 2 ^ 1 is 3, and 2 ^ 2 is 0. Double a "
              "number each time, or call std::pow.",
              score_where_counted([](const Tally& tally) {
                  std::vector<double> found;
                  unsigned k = 0;
                  for (std::size_t n = 0; n < 4; ++n) {
                      k += tally.matches[n] > 0 ? 0 : 1;
                      found.push_back((tally.matches[n] > 0 ? tally.matches[n]
                                                            : 1 / static_cast<double>(2U ^ k)) /
                                      tally.totals[n]);
                  }
                  return 100 * penalty_of(tally) * geometric_mean(found);
              }));

constexpr const char* says_three_orders_of_four =
    "the loop over n ends before 4: only n = 1, 2, 3 are counted, and their logarithms are still "
    "divided by 4. It runs while n <= 4.";

MISCONCEPTION(bleu, three_orders_of_four, says_three_orders_of_four,
              scored_by([](const Tally& tally) {
                  if (!any_match(tally) || !all_counted(tally, 3)) {
                      return 0.0;
                  }
                  double product = 1;
                  for (const double p : precisions(tally, 3)) {
                      product *= p;
                  }
                  return 100 * penalty_of(tally) * std::pow(product, 0.25);
              }));

MISCONCEPTION(bleu, nothing_is_0,
              "two cases are missing. Without a match at any n the score is 0, and so it is where "
              "totals(n) is 0: there the division gives no number.",
              scored_by([](const Tally& tally) {
                  return 100 * penalty_of(tally) * geometric_mean(precisions(tally));
              }));

MISCONCEPTION(bleu, empty_hypotheses_skipped,
              "a sentence whose hypothesis is empty is skipped, and with it the words of its "
              "reference. They count in r: who says nothing is too short.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Corpus said;
                  References of_them;
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      if (!hypotheses[i].empty()) {
                          said.push_back(hypotheses[i]);
                          of_them.push_back(references[i]);
                      }
                  }
                  return right_score(tally_of(said, of_them));
              }));

/// n-grams as the letters of their words, one after the other.
std::map<std::string, double> letters_of(const Words& sentence, std::size_t n) {
    std::map<std::string, double> counts;
    for (const auto& [ngram, count] : lesson::count_ngrams(sentence, n)) {
        counts[std::accumulate(ngram.begin(), ngram.end(), std::string())] +=
            static_cast<double>(count);
    }
    return counts;
}

MISCONCEPTION(bleu, joined_without_a_separator,
              "the words of an n-gram are joined to one text with nothing between them, so that "
              "\"a bc\" and \"ab c\" are one. Compare lists of words, or put between them what is "
              "in no word, such as a blank.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  tally.matches = {};
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      for (std::size_t n = 1; n <= 4; ++n) {
                          std::map<std::string, double> most;
                          for (const Words& reference : references[i]) {
                              for (const auto& [text, count] : letters_of(reference, n)) {
                                  most[text] = std::max(most[text], count);
                              }
                          }
                          for (const auto& [text, count] : letters_of(hypotheses[i], n)) {
                              tally.matches[n - 1] += std::min(count, most[text]);
                          }
                      }
                  }
                  return right_score(tally);
              }));

MISCONCEPTION(bleu, equal_means_100,
              "where every hypothesis is equal to a reference, 100 is returned before anything is "
              "counted. Without a sentence of four words there is nothing to count, and the score "
              "is 0.",
              checked([](const Corpus& hypotheses, const References& references) {
                  bool equal = !hypotheses.empty();
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      const auto& own = references[i];
                      equal =
                          equal && std::find(own.begin(), own.end(), hypotheses[i]) != own.end();
                  }
                  return equal ? 100 : right_score(tally_of(hypotheses, references));
              }));

MISCONCEPTION(bleu, totals_below_zero,
              "a sentence of fewer than n − 1 words has length − n + 1 n-grams here, which is "
              "below 0; and in std::size_t, which has no negative numbers, near 2^64. It has none.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  for (std::size_t n = 1; n <= 4; ++n) {
                      tally.totals[n - 1] = 0;
                      for (const Words& hypothesis : hypotheses) {
                          tally.totals[n - 1] += static_cast<double>(hypothesis.size() - n + 1);
                      }
                  }
                  return right_score(tally);
              }));

MISCONCEPTION(bleu, totals_of_0_divided_by,
              "where no sentence has four words totals(4) is 0, and the division by it gives no "
              "number. The score is 0 there.",
              scored_by([](const Tally& tally) {
                  return any_match(tally)
                             ? 100 * penalty_of(tally) * geometric_mean(precisions(tally))
                             : 0.0;
              }));

MISCONCEPTION(bleu, divided_by_words,
              "every p_n is divided by the number of words. A sentence of w words has w − n + 1 "
              "n-grams: totals(n).",
              score_where_counted([](const Tally& tally) {
                  Tally of_words = tally;
                  of_words.totals.fill(tally.length);
                  return right_score(of_words);
              }));

MISCONCEPTION(bleu, clipped_by_the_least,
              "an n-gram counts no more often than in the reference that has it least often, of "
              "those that have it. The one that has it most often is what counts.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  double least = 0;
                  for (const double other : in_references) {
                      least = other > 0 && (least == 0 || other < least) ? other : least;
                  }
                  return std::min(count, least);
              }));

MISCONCEPTION(bleu, larger_of_the_counts,
              "an n-gram counts as often as hypothesis or reference has it, whichever is more, and "
              "so even where no reference has it. It matches as often as both have it: the smaller "
              "of the two counts, min and not max.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return std::max(count, largest(in_references));
              }));

MISCONCEPTION(bleu, last_reference_only,
              "only the last reference of each sentence is looked into. An n-gram may be found in "
              "any of them.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return std::min(count, in_references.back());
              }));

MISCONCEPTION(bleu, later_references_overwrite,
              "where several references have an n-gram, the last of them says how often it may "
              "count: it overwrites those before. Keep the largest count.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  double last = 0;
                  for (const double other : in_references) {
                      last = other > 0 ? other : last;
                  }
                  return std::min(count, last);
              }));

MISCONCEPTION(bleu, matched_in_each_reference,
              "the matches with each reference are added: an n-gram that is in two references "
              "counts twice, and a score can exceed 100. It counts once, clipped by the reference "
              "that has it most often.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  double matches = 0;
                  for (const double other : in_references) {
                      matches += std::min(count, other);
                  }
                  return matches;
              }));

MISCONCEPTION(bleu, recall,
              "totals(n) counts the n-grams of the references: that is recall. BLEU is a "
              "precision, of the n-grams that the hypotheses have; their brevity is penalised "
              "instead.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  tally.totals.fill(0);
                  for (const auto& translations : references) {
                      for (std::size_t n = 1; n <= 4; ++n) {
                          Counts most;
                          for (const Words& reference : translations) {
                              for (const auto& entry : lesson::count_ngrams(reference, n)) {
                                  most[entry.first] = std::max(most[entry.first], entry.second);
                              }
                          }
                          for (const auto& entry : most) {
                              tally.totals[n - 1] += static_cast<double>(entry.second);
                          }
                      }
                  }
                  return right_score(tally);
              }));

MISCONCEPTION(bleu, recall_of_all_references,
              "totals(n) counts the n-grams of the references, of all of a sentence's together: "
              "that is recall. BLEU is a precision, of the n-grams that the hypotheses have; their "
              "brevity is penalised instead.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  tally.totals.fill(0);
                  for (const auto& translations : references) {
                      for (const Words& reference : translations) {
                          for (std::size_t n = 1; n <= 4; ++n) {
                              const std::size_t size = reference.size() + 1;
                              tally.totals[n - 1] += static_cast<double>(size - std::min(size, n));
                          }
                      }
                  }
                  return right_score(tally);
              }));

/// The right score, but that each sentence has the matches that `of` makes of those with each of
/// its references alone: a tally for each.
auto matched_reference_by_reference(
    std::function<std::array<double, 4>(const std::vector<Tally>& beside)> of) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        Tally tally = tally_of(hypotheses, references);
        tally.matches.fill(0);
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            std::vector<Tally> beside;
            for (const Words& reference : references[i]) {
                beside.push_back(tally_of({hypotheses[i]}, {{reference}}));
            }
            const std::array<double, 4> matches = of(beside);
            for (std::size_t n = 0; n < 4; ++n) {
                tally.matches[n] += matches[n];
            }
        }
        return right_score(tally);
    });
}

MISCONCEPTION(bleu, reference_of_the_most_matches,
              "for each n all n-grams of a sentence are looked for in one of its references, the "
              "one with the most matches. Each n-gram may be found in any of them, no more often "
              "than in the one that has it most often.",
              matched_reference_by_reference([](const std::vector<Tally>& beside) {
                  std::array<double, 4> most{};
                  for (const Tally& one : beside) {
                      for (std::size_t n = 0; n < 4; ++n) {
                          most[n] = std::max(most[n], one.matches[n]);
                      }
                  }
                  return most;
              }));

MISCONCEPTION(bleu, closest_reference_only,
              "n-grams are looked for only in the reference whose length is closest. That one "
              "counts in r; an n-gram may be found in any reference of its sentence.",
              matched_reference_by_reference([](const std::vector<Tally>& beside) {
                  const auto order = [](const Tally& tally) {
                      return std::pair(std::abs(tally.reference_length - tally.length),
                                       tally.reference_length);
                  };
                  return std::min_element(
                             beside.begin(), beside.end(),
                             [=](const Tally& a, const Tally& b) { return order(a) < order(b); })
                      ->matches;
              }));

MISCONCEPTION(bleu, last_sentence_left_out,
              "the last sentence is left out. A loop runs while i < hypotheses.size().",
              checked([](Corpus hypotheses, References references) {
                  if (!hypotheses.empty()) {
                      hypotheses.pop_back();
                      references.pop_back();
                  }
                  return right_score(tally_of(hypotheses, references));
              }));

MISCONCEPTION(bleu, difference_of_unsigned,
              "the difference of two lengths is taken in std::size_t, which has no negative "
              "numbers: one word less is 18446744073709551615. Take the difference of doubles, and "
              "std::abs of it.",
              length_by([](double own, const std::vector<double>& lengths) {
                  const auto away = [&](double length) {
                      return static_cast<std::size_t>(length) - static_cast<std::size_t>(own);
                  };
                  double best = lengths.front();
                  for (const double length : lengths) {
                      const bool nearer = away(length) < away(best);
                      best =
                          nearer || (away(length) == away(best) && length < best) ? length : best;
                  }
                  return best;
              }));

MISCONCEPTION(bleu, clipped_by_the_corpus,
              "the counts of the references go on from sentence to sentence: words of one are "
              "found in the reference of another. Start an empty map for each sentence.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  tally.matches.fill(0);
                  Counts most;
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      for (std::size_t n = 1; n <= 4; ++n) {
                          for (const Words& reference : references[i]) {
                              for (const auto& entry : lesson::count_ngrams(reference, n)) {
                                  most[entry.first] = std::max(most[entry.first], entry.second);
                              }
                          }
                          for (const auto& entry : lesson::count_ngrams(hypotheses[i], n)) {
                              tally.matches[n - 1] +=
                                  static_cast<double>(std::min(entry.second, most[entry.first]));
                          }
                      }
                  }
                  return right_score(tally);
              }));

} // namespace

} // namespace misconceptions_bleu_counts
