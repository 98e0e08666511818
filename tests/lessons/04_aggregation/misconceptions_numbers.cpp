// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// numbers on the way are cut off, counted once or never, or made with another maximum.

#include <map>

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_numbers {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

/// Numbers below that bound are 0.
Matrix without_small(Matrix A) {
    for (double& number : A) {
        number = std::abs(number) < 1e-10 ? 0 : number;
    }
    return A;
}

// ---- Small numbers

WRONG_MIXTURE(small_values_dropped,
              "small components of the values, or of the output, are taken for rounding errors and "
              "set to 0. They are numbers like any other: where all values are small, they are all "
              "there is.",
              [](M weights, M V) { return matmul(weights, without_small(V)); });

WRONG_WEIGHTS(small_components_dropped,
              "small components of queries and keys are taken for rounding errors and left out. "
              "They are numbers like any other: where those that they meet are large, they count.",
              [](M Q, M K) { return right_weights(without_small(Q), without_small(K)); });

// ---- Large numbers

constexpr const char* says_clamped =
    "scores are kept between two limits before exp. That prevents overflow, but scores beyond a "
    "limit become equal although they differ. Subtract the largest score of the row instead: that "
    "changes no weight.";

// One limit stands for all: what lies beyond shows, and not where it begins.
WRONG_WEIGHTS(scores_clamped, says_clamped, [](M Q, M K) {
    const Matrix scores = oracle::scaled_scores(Q, K);
    return softmax(xt::clip(scores, -700.0, 700.0));
});

constexpr const char* says_cut_above =
    "scores above a limit are set to it before exp. That prevents overflow, but scores beyond the "
    "limit become equal although they differ. Subtract the largest score of the row instead: that "
    "changes no weight.";

WRONG_WEIGHTS(scores_capped, says_cut_above, [](M Q, M K) {
    const Matrix scores = xt::minimum(oracle::scaled_scores(Q, K), 700.0);
    return shares(scores, [](auto&, auto) { return 0.0; });
});

auto with_a_maximum_of_at_least(double start) {
    return [start](M Q, M K) {
        return shares(oracle::scaled_scores(Q, K), [start](auto& scores, auto i) {
            return largest(scores, i, 0, scores.shape(1), start);
        });
    };
}

constexpr const char* says_large_negative_start =
    "the search for a row's maximum starts at a number that a row may lie below, such as -1e9, "
    "-1e30 or numeric_limits<float>::lowest(). Every exponential of such a row is 0, and 0 / 0 is "
    "NaN. Start at the first score, or at −∞.";

// Known by the rows that lie below: one of -1e10, of -1e30, of -1e100.
WRONG_WEIGHTS(maximum_from_a_large_negative_number, says_large_negative_start,
              with_a_maximum_of_at_least(-1e9));
WRONG_WEIGHTS(maximum_from_minus_1e20, says_large_negative_start,
              with_a_maximum_of_at_least(-1e20));
WRONG_WEIGHTS(maximum_from_the_lowest_float, says_large_negative_start,
              with_a_maximum_of_at_least(std::numeric_limits<float>::lowest()));

// ---- Scores that are equal

constexpr const char* says_one_of_equals =
    "of keys with equal scores only one is kept, as a map or a set does whose keys are the scores. "
    "Equal scores have equal weights, and each of them counts.";

/// The weight of each score goes to the first, or to the last, of those that are equal.
auto one_of_equals(bool last) {
    return [last](M Q, M K) {
        const Matrix scores = oracle::scaled_scores(Q, K);
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (S i = 0; i < scores.shape(0); ++i) {
            std::map<double, S> key_of;
            for (S j = 0; j < scores.shape(1); ++j) {
                if (last || key_of.find(scores(i, j)) == key_of.end()) {
                    key_of[scores(i, j)] = j;
                }
            }
            double sum = 0;
            for (const auto& [score, j] : key_of) {
                sum += weights(i, j) = std::exp(score - largest(scores, i));
            }
            for (const auto& [score, j] : key_of) {
                weights(i, j) /= sum;
            }
        }
        return weights;
    };
}

WRONG_WEIGHTS(last_of_equal_scores, says_one_of_equals, one_of_equals(true));
WRONG_WEIGHTS(first_of_equal_scores, says_one_of_equals, one_of_equals(false));

/// exp(s − maximum) over a sum that a learner takes in one pass: step(sum, maximum, score).
template <class Step>
auto in_one_pass(Step step) {
    return [step](M Q, M K) {
        return quotients(
            oracle::scaled_scores(Q, K),
            [](auto& scores, auto i, auto j) {
                return std::exp(scores(i, j) - largest(scores, i));
            },
            [step](auto& scores, auto i) {
                double maximum = -std::numeric_limits<double>::infinity();
                double sum = 0;
                for (S j = 0; j < scores.shape(1); ++j) {
                    step(sum, maximum, scores(i, j));
                    maximum = std::max(maximum, scores(i, j));
                }
                return sum;
            });
    };
}

WRONG_WEIGHTS(
    equal_to_the_maximum_forgotten,
    "maximum and sum are taken in one loop, and a score that equals the largest so far is "
    "in neither of the two cases, > and <: it adds nothing to the sum. It adds 1: write "
    ">= or else.",
    in_one_pass([](double& sum, double maximum, double score) {
        if (score > maximum) {
            sum = sum * std::exp(maximum - score) + 1;
        } else if (score < maximum) {
            sum += std::exp(score - maximum);
        }
    }));

WRONG_WEIGHTS(sum_rescaled_upside_down,
              "maximum and sum are taken in one loop, and when a new maximum comes, the sum so far "
              "is multiplied by exp(new - old maximum). Its terms were made with the old maximum, "
              "which is smaller: multiply by exp(old - new maximum).",
              in_one_pass([](double& sum, double maximum, double score) {
                  if (sum == 0) {
                      sum = 1;
                  } else if (score > maximum) {
                      sum = sum * std::exp(score - maximum) + 1;
                  } else {
                      sum += std::exp(score - maximum);
                  }
              }));

// ---- Sums over other keys

MISCONCEPTION(aggregate, as_many_keys_as_queries,
              "the loop over the keys ends at the number of queries. It goes over the columns of "
              "the weights, which are the rows of V.",
              checked_aggregate([](M weights, M V) {
                  Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
                  for (S i = 0; i < weights.shape(0); ++i) {
                      for (S j = 0; j < weights.shape(0); ++j) {
                          for (S c = 0; c < V.shape(1); ++c) {
                              output(i, c) += weights(i, j) * V(j, c);
                          }
                      }
                  }
                  return output;
              }));

WRONG_MIXTURE(
    rows_of_values_n_keys_long,
    "V is read by a pointer, and its rows are taken to be n_keys long, v[j * n_keys + c]. "
    "There are n_keys of them, and each is d_v long: v[j * d_v + c], or V(j, c).",
    [](M weights, M V) {
        return mixed(weights, V, [&](auto i, auto j, auto c) {
            const S k = j * V.shape(0) + c;
            if (k >= V.size() + 3) { // just beyond an array stands what is next to 0, then anything
                throw std::runtime_error("out of range");
            }
            return k < V.size() ? weights(i, j) * V.flat(k) : 0;
        });
    });

} // namespace

} // namespace misconceptions_numbers
