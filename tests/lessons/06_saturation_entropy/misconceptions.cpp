// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 06.1 entropy

MISCONCEPTION(entropy, nan_at_zero,
              "the formula is taken word for word, and where a weight is exactly 0 the machine "
              "computes 0 times minus infinity, which is NaN. p ln p tends to 0 as p does: a "
              "weight of 0 adds nothing, and the code has to say so.",
              in_each_row([](const Vector& row) {
                  return -sum_over(row, [](double p) { return p * std::log(p); });
              }));

MISCONCEPTION(entropy, in_bits,
              "this is the entropy in bits: the logarithm is to base 2, and everything comes out "
              "1.4427 times as large. Nats take the natural logarithm, std::log.",
              in_each_row([](const Vector& p) { return plain_entropy(p) / std::log(2.0); }));

MISCONCEPTION(entropy, sign_forgotten,
              "these are negative: Σ p ln p without the minus in front. The logarithm of a weight "
              "below 1 is negative, and the minus makes the entropy positive.",
              in_each_row([](const Vector& p) { return -plain_entropy(p); }));

MISCONCEPTION(entropy, mean_over_keys,
              "this is the mean of −p ln p over the keys, not the sum. The weights p in the sum "
              "are the averaging already: entropy is the average of −ln p.",
              in_each_row([](const Vector& p) {
                  return plain_entropy(p) / static_cast<double>(p.size());
              }));

MISCONCEPTION(entropy, perplexity,
              "this is exp(H), the perplexity: as how many equally attended keys it feels. The "
              "entropy is its logarithm.",
              in_each_row([](const Vector& p) { return std::exp(plain_entropy(p)); }));

MISCONCEPTION(entropy, only_the_largest,
              "this is −ln of the largest weight alone (the min-entropy). The other weights "
              "count too, each with its share: the sum goes over all of them.",
              in_each_row([](const Vector& p) { return 0.0 - std::log(largest(p)); }));

MISCONCEPTION(
    entropy, each_key_yes_or_no,
    "this adds −(1 − p) ln(1 − p) for every key: the entropy of n_keys separate yes-or-no "
    "questions. A query asks one question with n_keys answers, whose weights sum to 1.",
    in_each_row([](const Vector& p) {
        const Vector rest = 1 - p;
        return plain_entropy(p) + plain_entropy(rest);
    }));

MISCONCEPTION(entropy, over_queries,
              "this runs down the columns: one number for each key. It is the row of a query that "
              "sums to 1 and has an entropy.",
              [](const Matrix& weights) -> Vector { return in_columns(weights, plain_entropy); });

MISCONCEPTION(entropy, whole_matrix,
              "this is one sum for the whole matrix. Every query has an entropy of its own; the "
              "result is a Vector with one element a row.",
              [](const Matrix& weights) -> Vector {
                  return {total(in_rows(weights, plain_entropy))};
              });

MISCONCEPTION(entropy, sum_not_reset,
              "each query's number includes those of the queries before it: the sum does not start "
              "at 0 for every row. Declare it inside the loop over the rows.",
              [](const Matrix& weights) -> Vector {
                  Vector nats = in_rows(weights, plain_entropy);
                  for (std::size_t i = 1; i < nats.size(); ++i) {
                      nats(i) += nats(i - 1);
                  }
                  return nats;
              });

MISCONCEPTION(entropy, gini,
              "this is Σ p (1 − p), which is also 0 for one-hot weights and largest for equal ones "
              "(Gini's impurity). Entropy averages −ln p, not 1 − p.",
              in_each_row(trace));

MISCONCEPTION(entropy, ends_at_the_first_zero,
              "the sum ends at the first weight of 0 (break, or return). What comes after it still "
              "counts: leave out that one term and go on (continue).",
              in_each_row([](const Vector& row) {
                  double sum = 0;
                  for (const double p : row) {
                      if (p == 0) {
                          break;
                      }
                      sum -= p * std::log(p);
                  }
                  return sum;
              }));

MISCONCEPTION(entropy, rows_with_a_zero_are_zero,
              "a row in which some weight is 0 has the entropy 0 here, as if the NaN of the whole "
              "sum had been replaced. It is the one term that is 0; the others still count.",
              in_each_row([](const Vector& row) {
                  return *std::min_element(row.begin(), row.end()) > 0 ? plain_entropy(row) : 0;
              }));

MISCONCEPTION(entropy, logarithm_to_base_10,
              "the logarithm is to base 10: everything comes out 0.434 times as large. Nats take "
              "the natural logarithm, std::log.",
              in_each_row([](const Vector& p) { return plain_entropy(p) / std::log(10.0); }));

MISCONCEPTION(entropy, share_of_the_most,
              "the entropy is divided by ln n_keys, the most there can be, so that it lies between "
              "0 and 1. Nats are asked for, from 0 to ln n_keys.",
              in_each_row([](const Vector& p) {
                  return plain_entropy(p) / std::log(static_cast<double>(p.size()));
              }));

MISCONCEPTION(entropy, not_weighed,
              "this is −Σ ln p: every surprise counts alike. Each is weighed with how often it "
              "comes, its p: −Σ p ln p.",
              in_each_row([](const Vector& row) {
                  return sum_over(row, [](double p) { return p > 0 ? -std::log(p) : 0; });
              }));

MISCONCEPTION(entropy, not_weighed_nor_skipped,
              "this is −Σ ln p: every surprise counts alike, and a weight of 0 makes it infinite. "
              "Each is weighed with how often it comes, its p: −Σ p ln p, and 0 where p is 0.",
              in_each_row([](const Vector& row) {
                  return sum_over(row, [](double p) { return -std::log(p); });
              }));

MISCONCEPTION(entropy, largest_term_only,
              "this is the largest of the terms −p ln p. They are added up.",
              in_each_row([](const Vector& row) {
                  double most = 0;
                  for (const double p : row) {
                      most = std::max(most, p > 0 ? -p * std::log(p) : 0);
                  }
                  return most;
              }));

MISCONCEPTION(entropy, last_key_left_out,
              "the sum stops one key short: the last weight of each row is left out. A loop runs "
              "while j < n_keys, from 0 on.",
              in_each_row([](const Vector& row) {
                  return plain_entropy(Vector(xt::view(row, xt::range(0, row.size() - 1))));
              }));

MISCONCEPTION(entropy, first_key_left_out,
              "the first weight of each row is left out: indices begin at 0.",
              in_each_row([](const Vector& row) {
                  return plain_entropy(Vector(xt::view(row, xt::range(1, row.size()))));
              }));

MISCONCEPTION(entropy, all_zero,
              "every entropy is 0, as where a sum is kept in whole numbers: std::accumulate(…, 0) "
              "drops the fraction at every step, and no term reaches 1. It begins with 0.0.",
              in_each_row([](const Vector&) { return 0.0; }));

MISCONCEPTION(entropy, entropy_of_the_first_query,
              "every query has the entropy of the first. Take each row's own weights.",
              [](const Matrix& weights) -> Vector {
                  Vector nats = in_rows(weights, plain_entropy);
                  nats.fill(nats(0));
                  return nats;
              });

MISCONCEPTION(entropy, same_for_every_query,
              "every query has the same number: the sum of all entropies. Start a sum for each row "
              "and keep it for that row alone.",
              [](const Matrix& weights) -> Vector {
                  Vector nats = in_rows(weights, plain_entropy);
                  nats.fill(total(nats));
                  return nats;
              });

MISCONCEPTION(entropy, mean_over_queries,
              "this is one number, the mean of all queries' entropies. Every query has its own; "
              "the result is a Vector with one element a row.",
              [](const Matrix& weights) -> Vector {
                  const Vector nats = in_rows(weights, plain_entropy);
                  return {total(nats) / static_cast<double>(nats.size())};
              });

} // namespace
