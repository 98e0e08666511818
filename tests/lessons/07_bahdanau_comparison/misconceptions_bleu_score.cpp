// Wrong versions of 07.4, continued: what is made of the counts, and sentences run together.

#include <cctype>

#include "wrong_bleu.hpp"

namespace misconceptions_bleu_score {

using namespace wrong_bleu;

namespace {

// ---- the mean of the precisions

MISCONCEPTION(
    bleu, logarithm_to_base_2,
    "the mean of the precisions is taken through log2, and undone with exp, which belongs "
    "to the natural logarithm. std::log and std::exp go together.",
    score_where_counted([](const Tally& tally) {
        return 100 * penalty_of(tally) * std::exp(std::log2(geometric_mean(precisions(tally))));
    }));

MISCONCEPTION(bleu, logarithm_to_base_10,
              "the mean of the precisions is taken through log10, and undone with exp, which "
              "belongs to the natural logarithm. std::log and std::exp go together.",
              score_where_counted([](const Tally& tally) {
                  return 100 * penalty_of(tally) *
                         std::exp(std::log10(geometric_mean(precisions(tally))));
              }));

MISCONCEPTION(bleu, root_in_whole_numbers,
              "the precisions have no influence: a power of 1/4, in whole numbers, is a power of "
              "0, and that is 1. Write 0.25, or 1.0 / 4.",
              score_where_counted([](const Tally& tally) { return 100 * penalty_of(tally); }));

MISCONCEPTION(bleu, square_root,
              "this takes the square root of the product. Four precisions have a fourth root for "
              "their geometric mean.",
              score_where_counted([](const Tally& tally) {
                  return 100 * penalty_of(tally) * std::pow(geometric_mean(precisions(tally)), 2);
              }));

MISCONCEPTION(bleu, harmonic_mean,
              "this is the harmonic mean of the precisions. BLEU takes the geometric one, the "
              "fourth root of their product.",
              score_where_counted([](const Tally& tally) {
                  double sum = 0;
                  for (const double p : precisions(tally)) {
                      sum += 1 / p;
                  }
                  return 100 * penalty_of(tally) * 4 / sum;
              }));

MISCONCEPTION(bleu, exponential_forgotten,
              "this is the mean of the logarithms, and not of the precisions: std::exp is missing "
              "around it.",
              score_where_counted([](const Tally& tally) {
                  return 100 * penalty_of(tally) * std::log(geometric_mean(precisions(tally)));
              }));

MISCONCEPTION(
    bleu, all_ngrams_together,
    "matches and totals are added over n, and divided once. Each n has a precision of its "
    "own, and the score is the geometric mean of the four.",
    score_where_counted([](const Tally& tally) {
        double matches = 0, totals = 0;
        for (std::size_t n = 0; n < 4; ++n) {
            matches += tally.matches[n];
            totals += tally.totals[n];
        }
        return 100 * penalty_of(tally) * matches / totals;
    }));

MISCONCEPTION(bleu, rounded,
              "the score is rounded to two places, as papers print it. All its digits are asked "
              "for.",
              score_where_counted([](const Tally& tally) {
                  return std::round(100 * right_score(tally)) / 100;
              }));

MISCONCEPTION(bleu, whole_score, "the score is a whole number: its fraction was dropped.",
              score_where_counted([](const Tally& tally) {
                  return std::floor(right_score(tally));
              }));

// ---- the brevity penalty

MISCONCEPTION(bleu, penalty_flipped,
              "the sign in the brevity penalty is flipped: exp(r/h − 1) is above 1 where the "
              "hypotheses are short, and rewards them. It is exp(1 − r/h).",
              penalised_by([](double h, double r) { return h >= r ? 1 : std::exp(r / h - 1); }));

MISCONCEPTION(bleu, penalty_where_long,
              "the two cases of the brevity penalty are exchanged: long hypotheses get exp(1 − "
              "r/h), which is above 1, and short ones 1. Short ones are penalised.",
              penalised_by([](double h, double r) { return h <= r ? 1 : std::exp(1 - r / h); }));

MISCONCEPTION(bleu, penalty_without_exp,
              "the penalty is 1 − r/h here, which is negative for short hypotheses: std::exp is "
              "missing around it.",
              penalised_by([](double h, double r) { return h >= r ? 1 : 1 - r / h; }));

MISCONCEPTION(bleu, penalty_under_the_root,
              "the brevity penalty is under the fourth root, together with the precisions, and "
              "weighs a quarter of what it should. The root is of p₁ p₂ p₃ p₄ alone.",
              penalised_by([](double h, double r) { return std::pow(brevity(h, r), 0.25); }));

MISCONCEPTION(bleu, penalty_twice, "the brevity penalty is applied twice.",
              penalised_by([](double h, double r) { return std::pow(brevity(h, r), 2); }));

/// The lengths of each sentence and of its closest reference.
std::vector<std::pair<double, double>> lengths_of(const Corpus& hypotheses,
                                                  const References& references) {
    std::vector<std::pair<double, double>> lengths;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        const Tally own = tally_of({hypotheses[i]}, {references[i]});
        lengths.emplace_back(own.length, own.reference_length);
    }
    return lengths;
}

/// The right score with a penalty made of the sentences' lengths.
auto penalised_by_sentences(
    std::function<double(const std::vector<std::pair<double, double>>& lengths)> penalty) {
    return checked([=](const Corpus& hypotheses, const References& references) {
        const Tally tally = tally_of(hypotheses, references);
        return any_match(tally) && all_counted(tally)
                   ? 100 * penalty(lengths_of(hypotheses, references)) *
                         geometric_mean(precisions(tally))
                   : 0.0;
    });
}

MISCONCEPTION(bleu, mean_of_sentence_penalties,
              "each sentence has a brevity penalty of its own here, and they are averaged. The "
              "lengths are added over the corpus first: a long sentence makes up for a short one.",
              penalised_by_sentences([](const auto& lengths) {
                  double sum = 0;
                  for (const auto& [h, r] : lengths) {
                      sum += h > 0 ? brevity(h, r) : 0;
                  }
                  return sum / static_cast<double>(lengths.size());
              }));

MISCONCEPTION(bleu, product_of_sentence_penalties,
              "each sentence has a brevity penalty of its own here, and they are multiplied. The "
              "lengths are added over the corpus first, and there is one penalty.",
              penalised_by_sentences([](const auto& lengths) {
                  double product = 1;
                  for (const auto& [h, r] : lengths) {
                      product *= h > 0 ? brevity(h, r) : 0;
                  }
                  return product;
              }));

MISCONCEPTION(
    bleu, penalty_of_the_last_sentence,
    "the brevity penalty is that of the last sentence: its lengths overwrite those of the "
    "others. They are added up (+=).",
    penalised_by_sentences([](const auto& lengths) {
        return lengths.back().first > 0 ? brevity(lengths.back().first, lengths.back().second) : 0;
    }));

// ---- what has no match

constexpr const char* says_tiny =
    "an n without a match gets a tiny precision in place of 0. How tiny decides the score then. "
    "sacreBLEU says how much it is: 1 / (2^k · totals(n)).";

/// matches(n) or precision, whichever is given, where there is no match.
auto without_match(std::function<double(double total, std::size_t k)> matches) {
    return score_where_counted([=](const Tally& tally) {
        Tally more = tally;
        std::size_t k = 0;
        for (std::size_t n = 0; n < 4; ++n) {
            if (tally.matches[n] == 0) {
                more.matches[n] = matches(tally.totals[n], ++k);
            }
        }
        return right_score(more);
    });
}

auto tiny_precision(double p) {
    return without_match([=](double total, std::size_t) { return p * total; });
}

auto tiny_matches(double m) {
    return without_match([=](double, std::size_t) { return m; });
}

MISCONCEPTION(bleu, precision_of_1e_6, says_tiny, tiny_precision(1e-6));
MISCONCEPTION(bleu, precision_of_1e_8, says_tiny, tiny_precision(1e-8));
MISCONCEPTION(bleu, precision_of_1e_9, says_tiny, tiny_precision(1e-9));
MISCONCEPTION(bleu, precision_of_1e_10, says_tiny, tiny_precision(1e-10));
MISCONCEPTION(bleu, precision_of_1e_12, says_tiny, tiny_precision(1e-12));
MISCONCEPTION(bleu, matches_of_1e_9, says_tiny, tiny_matches(1e-9));

MISCONCEPTION(bleu, matches_of_a_tenth,
              "an n without a match gets 0.1 matches, as sacreBLEU's smoothing \"floor\" does. Its "
              "usual smoothing is \"exp\": 1 / (2^k · totals(n)).",
              tiny_matches(0.1));

MISCONCEPTION(bleu, one_match_for_none,
              "an n without a match is taken for one match, 1 / totals(n). It is half a match for "
              "the first such n, a quarter for the second: 1 / (2^k · totals(n)) with k from 1.",
              tiny_matches(1));

MISCONCEPTION(bleu, halving_begins_late,
              "the first n without a match gets a whole match, 1 / totals(n), the second half of "
              "one. k counts from 1: the first gets 1 / (2 · totals(n)).",
              without_match([](double, std::size_t k) {
                  return std::pow(0.5, static_cast<double>(k) - 1);
              }));

MISCONCEPTION(bleu, two_k_for_a_power,
              "an n without a match gets 1 / (2k · totals(n)): 2, 4, 6. It is a power, 2^k: 2, 4, "
              "8.",
              without_match([](double, std::size_t k) { return 0.5 / static_cast<double>(k); }));

MISCONCEPTION(bleu, one_added_where_none,
              "1 is added to matches and totals of an n without a match, 1 / (totals(n) + 1). "
              "sacreBLEU gives it 1 / (2^k · totals(n)).",
              without_match([](double total, std::size_t) { return total / (total + 1); }));

MISCONCEPTION(bleu, one_added_everywhere,
              "1 is added to matches and totals of every n, single words too, whether there is a "
              "match or not. sacreBLEU leaves alone what has matches, and halves again and again "
              "for what has none.",
              score_where_counted([](const Tally& tally) {
                  Tally more = tally;
                  for (std::size_t n = 0; n < 4; ++n) {
                      more.matches[n] += 1;
                      more.totals[n] += 1;
                  }
                  return right_score(more);
              }));

// ---- sentences

MISCONCEPTION(bleu, ngrams_across_sentences,
              "the sentences are run together before n-grams are counted, so that some reach from "
              "the end of one into the next. Count each sentence by itself, and add the counts.",
              checked([](const Corpus& hypotheses, const References& references) {
                  Words text;
                  std::vector<Words> translations;
                  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
                      text.insert(text.end(), hypotheses[i].begin(), hypotheses[i].end());
                      translations.resize(std::max(translations.size(), references[i].size()));
                      for (std::size_t r = 0; r < references[i].size(); ++r) {
                          translations[r].insert(translations[r].end(), references[i][r].begin(),
                                                 references[i][r].end());
                      }
                  }
                  return hypotheses.empty() ? 0 : right_score(tally_of({text}, {translations}));
              }));

MISCONCEPTION(bleu, first_sentence_only,
              "only the first sentence is scored. Counts and lengths are added over all of them.",
              checked([](const Corpus& hypotheses, const References& references) {
                  return hypotheses.empty()
                             ? 0
                             : right_score(tally_of({hypotheses.front()}, {references.front()}));
              }));

MISCONCEPTION(bleu, last_sentence_only,
              "only the last sentence counts: its counts overwrite those of the others. They are "
              "added up (+=).",
              checked([](const Corpus& hypotheses, const References& references) {
                  return hypotheses.empty()
                             ? 0
                             : right_score(tally_of({hypotheses.back()}, {references.back()}));
              }));

MISCONCEPTION(
    bleu, same_place_only,
    "an n-gram matches only where the reference has it at the same place. Where it stands "
    "does not matter, only how often it is there.",
    checked([](const Corpus& hypotheses, const References& references) {
        Tally tally = tally_of(hypotheses, references);
        tally.matches = {};
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            for (std::size_t n = 1; n <= 4; ++n) {
                const Words& own = hypotheses[i];
                for (std::size_t at = 0; at + n <= own.size(); ++at) {
                    bool found = false;
                    for (const Words& other : references[i]) {
                        const auto from = static_cast<std::ptrdiff_t>(at);
                        const auto to = static_cast<std::ptrdiff_t>(at + n);
                        found = found || (at + n <= other.size() &&
                                          std::equal(own.begin() + from, own.begin() + to,
                                                     other.begin() + from));
                    }
                    tally.matches[n - 1] += found ? 1 : 0;
                }
            }
        }
        return right_score(tally);
    }));

MISCONCEPTION(bleu, lower_case,
              "the words are put into lower case first. They are compared as they are.",
              checked([](Corpus hypotheses, References references) {
                  const auto lower = [](Words& sentence) {
                      for (std::string& word : sentence) {
                          std::transform(
                              word.begin(), word.end(), word.begin(),
                              [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
                      }
                  };
                  std::for_each(hypotheses.begin(), hypotheses.end(), lower);
                  for (auto& translations : references) {
                      std::for_each(translations.begin(), translations.end(), lower);
                  }
                  return right_score(tally_of(hypotheses, references));
              }));

} // namespace

} // namespace misconceptions_bleu_score
