// Wrong versions of 07.4: right in everything but the one rule that is handed in.

#include <limits>

#include "wrong_bleu.hpp"

namespace misconceptions_bleu {

using namespace wrong_bleu;

namespace {

// ---- sentences and the corpus

MISCONCEPTION(bleu, mean_of_sentence_scores,
              "this scores each sentence by itself and averages the scores. BLEU is of a corpus: "
              "matches, totals and lengths are added over all sentences, and divided once at the "
              "end. A short sentence without a four-gram would be worth 0 by itself.",
              checked([](const Corpus& hypotheses, const References& references) {
                  double total = 0;
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      total += right_score(tally_of({hypotheses[i]}, {references[i]}));
                  }
                  return hypotheses.empty() ? 0 : total / static_cast<double>(hypotheses.size());
              }));

MISCONCEPTION(bleu, mean_of_sentence_scores_by_length,
              "this scores each sentence by itself and averages the scores, each as heavy as it "
              "has words. BLEU is of a corpus: matches, totals and lengths are added over all "
              "sentences, and divided once at the end.",
              checked([](const Corpus& hypotheses, const References& references) {
                  double total = 0, words = 0;
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      const auto length = static_cast<double>(hypotheses[i].size());
                      total += length * right_score(tally_of({hypotheses[i]}, {references[i]}));
                      words += length;
                  }
                  return words > 0 ? total / words : 0;
              }));

MISCONCEPTION(bleu, mean_of_sentence_precisions,
              "each p_n is the mean of the sentences' own precisions, so that a short sentence "
              "weighs as much as a long one. Add matches(n) and totals(n) over the corpus first, "
              "then divide.",
              checked([](const Corpus& hypotheses, const References& references) {
                  const Tally whole = tally_of(hypotheses, references);
                  Tally means = whole;
                  for (std::size_t n = 0; n < 4; ++n) {
                      double shares = 0, counted = 0;
                      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                          const Tally own = tally_of({hypotheses[i]}, {references[i]});
                          if (own.totals[n] > 0) {
                              shares += own.matches[n] / own.totals[n];
                              counted += 1;
                          }
                      }
                      means.matches[n] = counted > 0 ? shares / counted * whole.totals[n] : 0;
                  }
                  return right_score(means);
              }));

MISCONCEPTION(bleu, clipped_over_the_corpus,
              "the n-grams are pooled over the corpus before they are clipped: a word too many in "
              "one sentence is excused by a reference of another. Clip sentence by sentence, and "
              "add up what is left.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  for (std::size_t n = 1; n <= 4; ++n) {
                      Counts all, allowed;
                      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                          for (const auto& entry : lesson::count_ngrams(hypotheses[i], n)) {
                              all[entry.first] += entry.second;
                          }
                          Counts most;
                          for (const Words& reference : references[i]) {
                              for (const auto& entry : lesson::count_ngrams(reference, n)) {
                                  most[entry.first] = std::max(most[entry.first], entry.second);
                              }
                          }
                          for (const auto& entry : most) {
                              allowed[entry.first] += entry.second;
                          }
                      }
                      tally.matches[n - 1] = 0;
                      for (const auto& entry : all) {
                          tally.matches[n - 1] +=
                              static_cast<double>(std::min(entry.second, allowed[entry.first]));
                      }
                  }
                  return right_score(tally);
              }));

// ---- counting matches

MISCONCEPTION(bleu, unclipped_counts,
              "an n-gram counts as often as the hypothesis repeats it, once it is in a reference "
              "at all: \"the the the the\" would have a precision of 1. It counts no more often "
              "than in the reference that has it most often.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return largest(in_references) > 0 ? count : 0;
              }));

MISCONCEPTION(bleu, clipped_by_the_sum,
              "the references' counts are added up: an n-gram may then be said once for each "
              "reference. One reference that has it most often sets the limit, not all together.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return std::min(count, sum(in_references));
              }));

MISCONCEPTION(bleu, first_reference_only,
              "n-grams are looked for in the first reference alone. Any of a sentence's references "
              "may have them; that is what they are there for.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return std::min(count, in_references.front());
              }));

MISCONCEPTION(bleu, in_every_reference,
              "an n-gram counts only as often as in every reference: the fewest, not the most. A "
              "second reference is a further way to be right, not a further condition.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return std::min(count, smallest(in_references));
              }));

MISCONCEPTION(bleu, each_ngram_once,
              "each n-gram matches at most once, however often both sides have it, while totals(n) "
              "counts all. Its matches are the smaller of the two counts.",
              clipped_by([](double count, const std::vector<double>& in_references) {
                  return std::min({1.0, count, largest(in_references)});
              }));

MISCONCEPTION(bleu, distinct_ngrams,
              "each n-gram is counted once, in matches and in totals, as a set would have it. One "
              "that the hypothesis has three times is three of its n-grams.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references,
                                         [](double, const std::vector<double>& in_references) {
                                             return std::min(1.0, largest(in_references));
                                         });
                  tally.totals = {};
                  for (const Words& hypothesis : hypotheses) {
                      for (std::size_t n = 1; n <= 4; ++n) {
                          tally.totals[n - 1] +=
                              static_cast<double>(lesson::count_ngrams(hypothesis, n).size());
                      }
                  }
                  return right_score(tally);
              }));

MISCONCEPTION(bleu, recall_for_precision,
              "matches are divided by the n-grams of the references: that is recall. Precision "
              "divides by those of the hypotheses; that something is missing is what the brevity "
              "penalty is for.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Tally tally = tally_of(hypotheses, references);
                  if (!any_match(tally) || !all_counted(tally)) {
                      return 0.0;
                  }
                  for (std::size_t n = 0; n < 4; ++n) {
                      tally.totals[n] = 0;
                      for (const auto& translations : references) {
                          const std::size_t size = translations.front().size();
                          tally.totals[n] += static_cast<double>(size - std::min(size, n));
                      }
                  }
                  return all_counted(tally) ? right_score(tally) : 0.0;
              }));

// ---- from precisions to a score

MISCONCEPTION(bleu, arithmetic_mean,
              "the four precisions are averaged by adding. BLEU takes their geometric mean, the "
              "fourth root of their product, which one small precision pulls down.",
              score_where_counted([](const Tally& tally) {
                  return 100 * penalty_of(tally) * sum(precisions(tally)) / 4;
              }));

MISCONCEPTION(bleu, precisions_in_whole_numbers,
              "matches are divided by totals in whole numbers, which drops the fraction: 3/4 is 0, "
              "and one such precision makes the score 0. Make doubles of the counts first.",
              score_where_counted([](const Tally& tally) {
                  std::vector<double> found = precisions(tally);
                  for (std::size_t n = 0; n < found.size(); ++n) {
                      found[n] = tally.matches[n] > 0 ? std::floor(found[n]) : found[n];
                  }
                  return 100 * penalty_of(tally) * geometric_mean(found);
              }));

MISCONCEPTION(bleu, fourth_root_forgotten,
              "the four precisions are multiplied, and that is all. Their geometric mean is the "
              "fourth root of the product.",
              score_where_counted([](const Tally& tally) {
                  return 100 * penalty_of(tally) * std::pow(geometric_mean(precisions(tally)), 4);
              }));

MISCONCEPTION(bleu, fraction, "this lies between 0 and 1. BLEU is told as a number from 0 to 100.",
              score_where_counted([](const Tally& tally) { return right_score(tally) / 100; }));

MISCONCEPTION(bleu, unigrams_only,
              "only single words are counted, so their order does not matter: any shuffling has "
              "the same score. Two, three and four words in a row count as much.",
              scored_by([](const Tally& tally) {
                  return any_match(tally) && all_counted(tally, 1)
                             ? 100 * penalty_of(tally) * precisions(tally, 1).front()
                             : 0;
              }));

MISCONCEPTION(bleu, up_to_three,
              "n stops at 3: a loop that runs while n < 4 leaves out four words in a row.",
              scored_by([](const Tally& tally) {
                  return any_match(tally) && all_counted(tally, 3)
                             ? 100 * penalty_of(tally) * geometric_mean(precisions(tally, 3))
                             : 0;
              }));

MISCONCEPTION(bleu, four_grams_only,
              "only four words in a row are counted. The score is the geometric mean of four "
              "precisions, from single words on.",
              score_where_counted([](const Tally& tally) {
                  return 100 * penalty_of(tally) * precisions(tally).back();
              }));

// ---- the brevity penalty

MISCONCEPTION(bleu, no_brevity_penalty,
              "the brevity penalty is missing: a few words that are sure to be right would have "
              "100. Where the hypotheses are shorter than the references, the score is multiplied "
              "with exp(1 − r/h).",
              penalised_by([](double, double) { return 1; }));

MISCONCEPTION(
    bleu, ratio_in_whole_numbers,
    "r/h is divided in whole numbers, which drops the fraction: 12/9 is 1, and exp(1 − 1) "
    "no penalty at all. Make doubles of the lengths first.",
    penalised_by([](double h, double r) { return h >= r ? 1 : std::exp(1 - std::floor(r / h)); }));

MISCONCEPTION(
    bleu, ratio_in_unsigned_whole_numbers,
    "1 − r/h is computed in whole numbers without a sign: 12/9 is 1, and exp(1 − 1) no penalty at "
    "all; and from r = 2h on the difference wraps round to a huge number, and the score is "
    "infinite. Make doubles of the lengths first.",
    penalised_by([](double h, double r) {
        return h >= r || r < 2 * h ? 1 : std::numeric_limits<double>::infinity();
    }));

MISCONCEPTION(bleu, long_ones_penalised,
              "the brevity penalty is inverted: it is the long hypotheses that lose, and the short "
              "ones that get off free. Words too many have lowered the precisions already.",
              penalised_by([](double h, double r) { return brevity(r, h); }));

MISCONCEPTION(bleu, ratio_upside_down,
              "the ratio in the brevity penalty is upside down: exp(1 − h/r) is above 1 where the "
              "hypotheses are short, and rewards them. It is exp(1 − r/h).",
              penalised_by([](double h, double r) { return h >= r ? 1 : std::exp(1 - h / r); }));

MISCONCEPTION(bleu, long_ones_rewarded,
              "exp(1 − r/h) is taken for long hypotheses, too, where it is above 1. BP is never "
              "above 1: from h = r on it stays there.",
              penalised_by([](double h, double r) { return std::exp(1 - r / h); }));

MISCONCEPTION(bleu, plain_ratio,
              "the penalty for brevity is h/r here. It is exp(1 − r/h), which falls off faster.",
              penalised_by([](double h, double r) { return std::min(1.0, h / r); }));

// ---- what has no match

MISCONCEPTION(bleu, not_smoothed,
              "one n without a match makes the whole score 0. sacreBLEU smooths: p_n is then "
              "1 / (2^k · totals(n)), and only a corpus without any match has 0.",
              score_where_counted([](const Tally& tally) {
                  return tally.matches[3] > 0 ? right_score(tally) : 0;
              }));

MISCONCEPTION(bleu, one_added,
              "1 is added to matches and totals of two words and more, whether there is a match or "
              "not (Lin and Och 2004). sacreBLEU leaves alone what has matches, and halves again "
              "and again for what has none.",
              score_where_counted([](const Tally& tally) {
                  Tally more = tally;
                  for (std::size_t n = 1; n < 4; ++n) {
                      more.matches[n] += 1;
                      more.totals[n] += 1;
                  }
                  return right_score(more);
              }));

MISCONCEPTION(bleu, halved_once,
              "every n without a match gets 1 / (2 · totals(n)). It is halved again for each "
              "further one: 2, 4, 8.",
              score_where_counted([](const Tally& tally) {
                  Tally more = tally;
                  for (double& matches : more.matches) {
                      matches = matches > 0 ? matches : 0.5;
                  }
                  return right_score(more);
              }));

MISCONCEPTION(bleu, halved_by_n_less_1,
              "an n without a match gets 1 / (2^(n−1) · totals(n)). The exponent counts the ones "
              "without a match: 1 for the first of them, whichever n it is.",
              score_where_counted([](const Tally& tally) {
                  Tally more = tally;
                  for (std::size_t n = 0; n < 4; ++n) {
                      more.matches[n] = tally.matches[n] > 0
                                            ? tally.matches[n]
                                            : std::pow(0.5, static_cast<double>(n));
                  }
                  return right_score(more);
              }));

MISCONCEPTION(bleu, halved_by_n,
              "an n without a match gets 1 / (2^n · totals(n)). The exponent counts the ones "
              "without a match: 1 for the first of them, whichever n it is.",
              score_where_counted([](const Tally& tally) {
                  Tally more = tally;
                  for (std::size_t n = 0; n < 4; ++n) {
                      more.matches[n] =
                          tally.matches[n] > 0 ? tally.matches[n] : std::pow(0.5, n + 1);
                  }
                  return right_score(more);
              }));

MISCONCEPTION(bleu, smoothing_not_divided,
              "an n without a match gets the precision 1/2^k. That still has to be divided by "
              "totals(n): it stands in for the matches, not for the precision.",
              score_where_counted([](const Tally& tally) {
                  Tally more = tally;
                  double share = 1;
                  for (std::size_t n = 0; n < 4; ++n) {
                      share = tally.matches[n] > 0 ? share : share / 2;
                      more.matches[n] =
                          tally.matches[n] > 0 ? tally.matches[n] : share * tally.totals[n];
                  }
                  return right_score(more);
              }));

MISCONCEPTION(bleu, left_out_of_the_mean,
              "an n without a match is left out of the mean, as if it had not been asked. It makes "
              "the score worse: p_n = 1 / (2^k · totals(n)).",
              score_where_counted([](const Tally& tally) {
                  std::vector<double> found;
                  for (std::size_t n = 0; n < 4; ++n) {
                      if (tally.matches[n] > 0) {
                          found.push_back(tally.matches[n] / tally.totals[n]);
                      }
                  }
                  return 100 * penalty_of(tally) * geometric_mean(found);
              }));

MISCONCEPTION(bleu, smoothed_without_any_match,
              "hypotheses that share no word with their references still score, through smoothing "
              "alone. Without a match at any n the score is 0.",
              scored_by([](const Tally& tally) {
                  return all_counted(tally)
                             ? 100 * penalty_of(tally) * geometric_mean(precisions(tally))
                             : 0;
              }));

MISCONCEPTION(bleu, nan_without_ngrams,
              "where there is nothing to count the machine divides 0 by 0, which is NaN. If there "
              "is no n-gram of some n, as where every sentence is shorter than four words, the "
              "score is 0, and the code has to say so.",
              scored_by([](const Tally& tally) {
                  return all_counted(tally) ? right_score(tally)
                                            : std::numeric_limits<double>::quiet_NaN();
              }));

MISCONCEPTION(bleu, only_orders_that_are_there,
              "where no sentence has four words, the mean goes over the n that there are. That is "
              "sacreBLEU's score for single sentences (effective order); a corpus without any "
              "four-gram has 0.",
              scored_by([](const Tally& tally) {
                  std::size_t orders = 4;
                  while (orders > 0 && !all_counted(tally, orders)) {
                      --orders;
                  }
                  return orders > 0 && any_match(tally)
                             ? 100 * penalty_of(tally) * geometric_mean(precisions(tally, orders))
                             : 0;
              }));

} // namespace

} // namespace misconceptions_bleu
