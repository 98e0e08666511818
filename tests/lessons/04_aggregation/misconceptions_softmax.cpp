// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using lesson::Matrix;

using namespace wrong;

namespace {

// ---- The softmax written out, and a slip in it

/// exp of a score, and a score as it is, for row sums.
const auto term = [](const Matrix& scores, std::size_t i, std::size_t j) {
    return std::exp(scores(i, j));
};
const auto score = [](const Matrix& scores, std::size_t i, std::size_t j) { return scores(i, j); };
const auto shifted_term = [](const Matrix& scores, std::size_t i, std::size_t j) {
    return std::exp(scores(i, j) - largest(scores, i));
};

/// numerator(j) over the row's denominator.
template <class Numerator, class Denominator>
auto written_out(Numerator numerator, Denominator denominator) {
    return [=](const Matrix& Q, const Matrix& K) {
        return quotients(oracle::scaled_scores(Q, K), numerator, denominator);
    };
}

template <class Term>
auto sum_of(Term terms) {
    return [=](const Matrix& scores, std::size_t i) { return row_sum(scores, i, terms); };
}

WRONG_WEIGHTS(largest_in_place_of_the_sum,
              "the largest weight of each row is 1: you divide by the largest term, or not at all. "
              "Divide by the sum of the row.",
              written_out(shifted_term, [](auto&, auto) { return 1.0; }));

WRONG_WEIGHTS(no_exponential,
              "each score is divided by the sum of its row, without the exponential. Scores may be "
              "negative, and their sum 0; exponentials are positive.",
              written_out(score, sum_of(score)));

WRONG_WEIGHTS(exponentials_divided_by_n_keys,
              "the exponentials are divided by n_keys: a mean. Divide by the sum of the row.",
              written_out(term,
                          [](auto& scores, auto) { return static_cast<double>(scores.shape(1)); }));

WRONG_WEIGHTS(
    exponentials_over_the_scores,
    "the exponentials are divided by the sum of the scores. Divide by the sum of the exponentials.",
    written_out(shifted_term, sum_of(score)));

constexpr const char* shifted_once =
    "the maximum is subtracted in the numerator or in the sum, and not in the other. It cancels "
    "only if it is subtracted in both: compute the exponentials once, and sum those.";

WRONG_WEIGHTS(shifted_numerator, shifted_once, written_out(shifted_term, sum_of(term)));
WRONG_WEIGHTS(shifted_sum, shifted_once, written_out(term, sum_of(shifted_term)));

WRONG_WEIGHTS(root_of_squares,
              "each row is divided by its length, the root of the sum of squares. Then its squares "
              "sum to 1; the weights themselves should.",
              written_out(term, [](auto& scores, auto i) {
                  return std::sqrt(row_sum(
                      scores, i, [](auto& s, auto r, auto j) { return std::exp(2 * s(r, j)); }));
              }));

constexpr const char* sum_goes_on =
    "the sum is not set back to 0 for each row: a row is divided by all that was added up so far.";

template <class Term>
auto summed_on(Term terms) {
    return written_out(terms, [=](auto& scores, auto i) {
        double sum = 0;
        for (std::size_t row = 0; row <= i; ++row) {
            sum += row_sum(scores, row, terms);
        }
        return sum;
    });
}

WRONG_WEIGHTS(sum_not_reset_in_weights, sum_goes_on, summed_on(term));
WRONG_WEIGHTS(sum_of_shifted_not_reset, sum_goes_on, summed_on(shifted_term));

WRONG_WEIGHTS(divided_while_summing,
              "each element is divided by the sum of those up to it. First the whole sum of the "
              "row, in a loop of its own, then the division.",
              [](const Matrix& Q, const Matrix& K) {
                  Matrix weights = right_weights(Q, K);
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      double sum = 0;
                      for (std::size_t j = 0; j < weights.shape(1); ++j) {
                          sum += weights(i, j);
                          weights(i, j) /= sum;
                      }
                  }
                  return weights;
              });

MISCONCEPTION(attention_weights, sum_not_rescaled_in_weights,
              "maximum and sum are taken in one loop, and when a new maximum comes, the sum so far "
              "is not multiplied by exp(old maximum - new maximum). Do that, or take the maximum "
              "in a loop of its own.",
              checked_weights(written_out(shifted_term, [](auto& scores, auto i) {
                  double sum = 0;
                  for (std::size_t j = 0; j < scores.shape(1); ++j) {
                      sum += std::exp(scores(i, j) - largest(scores, i, 0, j + 1));
                  }
                  return sum;
              })));

MISCONCEPTION(attention_weights, first_query_only_in_weights,
              "only the first query has weights, the others have 0. Look where the loop over the "
              "queries ends, or whether it returns too early.",
              checked_weights([](const Matrix& Q, const Matrix& K) {
                  return zero_unless(right_weights(Q, K), [](auto i, auto) { return i == 0; });
              }));

WRONG_WEIGHTS(softmax_of_the_first_query_only,
              "softmax is applied to the first row only, the others are still scores. Look "
              "where the loop over the queries ends, or whether it returns too early.",
              [](const Matrix& Q, const Matrix& K) {
                  Matrix weights = oracle::scaled_scores(Q, K);
                  xt::view(weights, 0) = xt::view(right_weights(Q, K), 0);
                  return weights;
              });

MISCONCEPTION(attention_weights, last_query_left_out_in_weights,
              "the last query has no weights: the loop over the queries ends one too early.",
              checked_weights([](const Matrix& Q, const Matrix& K) {
                  return zero_unless(right_weights(Q, K),
                                     [&](auto i, auto) { return i + 1 < Q.shape(0); });
              }));

// ---- A Vector that lines up with the columns

constexpr const char* says_keep_dims =
    "the maximum of a row, or its sum, is used for a column: a reduction over axis 1 gives a "
    "Vector, and xtensor lines a Vector up with the columns. Where there are as many queries as "
    "keys that passes without a word, and elsewhere it throws. xt::keep_dims keeps the shape "
    "(n_queries, 1), which lines up with the rows.";

WRONG_WEIGHTS(maxima_without_keep_dims, says_keep_dims,
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  const attention::Vector maxima = xt::amax(scores, {1});
                  const Matrix terms = xt::exp(scores - maxima);
                  const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
                  return terms / sums;
              });
WRONG_WEIGHTS(sums_without_keep_dims, says_keep_dims,
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  const Matrix maxima = xt::amax(scores, {1}, xt::keep_dims);
                  const Matrix terms = xt::exp(scores - maxima);
                  const attention::Vector sums = xt::sum(terms, {1});
                  return terms / sums;
              });
WRONG_WEIGHTS(rows_without_keep_dims, says_keep_dims,
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  const attention::Vector maxima = xt::amax(scores, {1});
                  const Matrix terms = xt::exp(scores - maxima);
                  const attention::Vector sums = xt::sum(terms, {1});
                  return terms / sums;
              });
WRONG_WEIGHTS(exponentials_without_keep_dims, says_keep_dims,
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  const Matrix terms = xt::exp(oracle::scaled_scores(Q, K));
                  const attention::Vector sums = xt::sum(terms, {1});
                  return terms / sums;
              });

/// Something small added to the sum, "against division by zero".
auto with_epsilon(double epsilon) {
    return written_out(shifted_term, [=](auto& scores, auto i) {
        return row_sum(scores, i, shifted_term) + epsilon;
    });
}

constexpr const char* epsilon_added =
    "a small number, such as 1e-9, is added to the sum, and no row sums to 1. After the maximum "
    "was subtracted the sum is at least exp(0) = 1: never 0.";

WRONG_WEIGHTS(epsilon_1e_5, epsilon_added, with_epsilon(1e-5));
WRONG_WEIGHTS(epsilon_1e_6, epsilon_added, with_epsilon(1e-6));
WRONG_WEIGHTS(epsilon_1e_7, epsilon_added, with_epsilon(1e-7));
WRONG_WEIGHTS(epsilon_1e_8, epsilon_added, with_epsilon(1e-8));
WRONG_WEIGHTS(epsilon_1e_9, epsilon_added, with_epsilon(1e-9));
WRONG_WEIGHTS(epsilon_1e_10, epsilon_added, with_epsilon(1e-10));

/// Weights below `least` dropped, "because they do not matter".
auto dropped_below(double least) {
    return [=](const Matrix& Q, const Matrix& K) {
        const Matrix weights = right_weights(Q, K);
        return zero_unless(weights, [&](auto i, auto j) { return weights(i, j) >= least; });
    };
}

constexpr const char* small_weights_dropped =
    "small weights are set to 0, and so a large value with a small weight is lost. Leave them as "
    "they are, whether or not you divide by their sum again.";

WRONG_WEIGHTS(weights_below_1e_3_dropped, small_weights_dropped, dropped_below(1e-3));
WRONG_WEIGHTS(weights_below_1e_4_dropped, small_weights_dropped, dropped_below(1e-4));
WRONG_WEIGHTS(weights_below_1e_5_dropped, small_weights_dropped, dropped_below(1e-5));
WRONG_WEIGHTS(weights_below_1e_6_dropped, small_weights_dropped, dropped_below(1e-6));
WRONG_WEIGHTS(weights_below_1e_8_dropped, small_weights_dropped, dropped_below(1e-8));
WRONG_WEIGHTS(weights_below_1e_9_dropped, small_weights_dropped, dropped_below(1e-9));
WRONG_WEIGHTS(weights_below_1e_10_dropped, small_weights_dropped, dropped_below(1e-10));
// Smaller ones show in what a large value makes of them.
MISCONCEPTION(self_attention, weights_below_1e_12_dropped_in_attention, small_weights_dropped,
              mixing_values(dropped_below(1e-12)));
MISCONCEPTION(self_attention, weights_below_1e_15_dropped_in_attention, small_weights_dropped,
              mixing_values(dropped_below(1e-15)));
MISCONCEPTION(self_attention, weights_below_1e_30_dropped_in_attention, small_weights_dropped,
              mixing_values(dropped_below(1e-30)));

// ---- What is subtracted before the exponentials: right until a row lies far from 0

template <class Reference>
auto shifted_by(Reference reference) {
    return [=](const Matrix& Q, const Matrix& K) {
        return shares(oracle::scaled_scores(Q, K), reference);
    };
}

WRONG_WEIGHTS(no_maximum,
              "the formula is used as written, and large scores overflow: exp(1000) is "
              "infinite, and inf / inf is NaN. Subtract each row's largest score first, or leave "
              "that to attention::softmax_rows.",
              shifted_by([](auto&, auto) { return 0.0; }));

WRONG_WEIGHTS(maximum_from_zero,
              "the search for a row's maximum starts at 0 (numeric_limits<double>::min() is as "
              "much as 0), and where all scores are far below, their exponentials are all 0. Start "
              "at the first score, or at −∞.",
              shifted_by([](auto& scores, auto i) {
                  return largest(scores, i, 0, scores.shape(1), 0);
              }));

WRONG_WEIGHTS(first_score_for_maximum,
              "the first score of a row is subtracted, not the largest, and one far above it "
              "overflows.",
              shifted_by([](auto& scores, auto i) { return scores(i, 0); }));

WRONG_WEIGHTS(last_score_for_maximum,
              "the last score of a row is subtracted, not the largest, and one far above it "
              "overflows.",
              shifted_by([](auto& scores, auto i) { return scores(i, scores.shape(1) - 1); }));

WRONG_WEIGHTS(maximum_without_the_last,
              "the search for a row's maximum ends before the last score. Where that one is far "
              "above the others, its exponential overflows.",
              shifted_by([](auto& scores, auto i) {
                  return scores.shape(1) == 1 ? scores(i, 0)
                                              : largest(scores, i, 0, scores.shape(1) - 1);
              }));

WRONG_WEIGHTS(maximum_without_the_first,
              "the search for a row's maximum leaves out the first score. Where that one is far "
              "above the others, its exponential overflows.",
              shifted_by([](auto& scores, auto i) {
                  return scores.shape(1) == 1 ? scores(i, 0)
                                              : largest(scores, i, 1, scores.shape(1));
              }));

WRONG_WEIGHTS(smallest_for_maximum,
              "the smallest score of a row is subtracted. Then every exponential is 1 or more, and "
              "a large one overflows: subtract the largest.",
              shifted_by([](auto& scores, auto i) { return -largest(-scores, i); }));

WRONG_WEIGHTS(mean_for_maximum,
              "the mean of a row is subtracted. A score far above it still overflows: subtract the "
              "largest.",
              shifted_by([](auto& scores, auto i) {
                  return row_sum(scores, i, score) / static_cast<double>(scores.shape(1));
              }));

WRONG_WEIGHTS(maximum_of_the_raw_scores,
              "the maximum is taken of the raw scores, and subtracted from the scaled ones, which "
              "are smaller. Where it is large, all exponentials of a row are 0, and 0 / 0 is NaN. "
              "Scale before you take it, or scale it too.",
              [](const Matrix& Q, const Matrix& K) {
                  const Matrix raw = oracle::raw_scores(Q, K);
                  return shares(oracle::scaled_scores(Q, K),
                                [&](auto&, auto i) { return largest(raw, i); });
              });

WRONG_WEIGHTS(maximum_of_the_matrix,
              "one maximum, that of the whole matrix, is subtracted from every row. A row far "
              "below it has exponentials of 0 only, and 0 / 0 is NaN. Each row needs its own.",
              shifted_by([](auto& scores, auto) { return xt::amax(scores)(); }));

WRONG_WEIGHTS(maximum_of_the_first_row,
              "the maximum of the first row is subtracted from every row. Each row needs its own.",
              shifted_by([](auto& scores, auto) { return largest(scores, 0); }));

WRONG_WEIGHTS(maximum_not_reset,
              "the maximum is not reset for each row: a row far below an earlier one has "
              "exponentials of 0 only, and 0 / 0 is NaN.",
              shifted_by([](auto& scores, auto i) {
                  double maximum = largest(scores, 0);
                  for (std::size_t row = 1; row <= i; ++row) {
                      maximum = std::max(maximum, largest(scores, row));
                  }
                  return maximum;
              }));

// ---- The logarithm of the sum

WRONG_WEIGHTS(
    log_sum_exp_rounds,
    "the weights are exp(s − L), where L is the maximum plus the logarithm of the sum. On paper "
    "that is the same; beside a huge maximum the logarithm is lost, and scores that are equal get "
    "a weight of 1 each. Subtract the maximum alone, and divide by the sum.",
    [](const Matrix& Q, const Matrix& K) {
        Matrix weights = oracle::scaled_scores(Q, K);
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            auto row = xt::view(weights, i);
            const double maximum = largest(weights, i);
            const double log_sum_exp = maximum + std::log(xt::sum(xt::exp(row - maximum))());
            row = xt::exp(row - log_sum_exp);
        }
        return weights;
    });

} // namespace
