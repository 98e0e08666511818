// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <cmath>

#include "exports.hpp"
#include "wrong.hpp"

using lesson::ByHand;
using lesson::Matrix;

using namespace wrong;

namespace {

// ---- 04.4 by_hand: sheets with one wrong step, from which the rest follows rightly

const Matrix hand_Q{{1, 0}, {0, 1}, {1, 1}};
const Matrix hand_K{{1, 0}, {0, 1}, {0.5, 0.5}};
const Matrix hand_raw = oracle::raw_scores(hand_Q, hand_K);
const Matrix hand_weights = right_weights(hand_Q, hand_K);

ByHand from_output(const Matrix& scaled, const Matrix& weights, const Matrix& output) {
    return {hand_raw, scaled, weights, output, 3, {1, 2}};
}

ByHand from_weights(const Matrix& weights) {
    return from_output(hand_raw / std::sqrt(2.0), weights, matmul(weights, hand_K));
}

ByHand from_scaled(const Matrix& scaled) {
    const Matrix weights = softmax(scaled);
    return from_output(scaled, weights, matmul(weights, hand_K));
}

ByHand from_raw(const Matrix& raw) {
    ByHand sheet = from_scaled(raw / std::sqrt(2.0));
    sheet.raw_scores = raw;
    return sheet;
}

ByHand with_output(const Matrix& output) {
    return from_output(hand_raw / std::sqrt(2.0), hand_weights, output);
}

ByHand with_answers(int most_uniform, const std::vector<int>& most_focused) {
    ByHand sheet = from_weights(hand_weights);
    sheet.most_uniform = most_uniform;
    sheet.most_focused = most_focused;
    return sheet;
}

MISCONCEPTION(by_hand, keys_down_queries_across,
              "step 1 is K · Qᵀ, the right numbers with rows and columns exchanged. A row belongs "
              "to a query, a column to a key.",
              [] { return from_raw(transposed(hand_raw)); });

MISCONCEPTION(by_hand, queries_compared_with_queries,
              "step 1 compares the queries with each other, Q · Qᵀ. The third key is [0.5, 0.5], "
              "half as long as the third query.",
              [] { return from_raw(oracle::raw_scores(hand_Q, hand_Q)); });

MISCONCEPTION(by_hand, keys_compared_with_keys,
              "step 1 compares the keys with each other, K · Kᵀ. The third query is [1, 1], twice "
              "as long as the third key.",
              [] { return from_raw(oracle::raw_scores(hand_K, hand_K)); });

MISCONCEPTION(by_hand, cosines,
              "step 1 holds cosines: the dot products were divided by the lengths of query and "
              "key. A raw score keeps the lengths.",
              [] {
                  Matrix scores = hand_raw;
                  for (std::size_t i = 0; i < 3; ++i) {
                      for (std::size_t j = 0; j < 3; ++j) {
                          scores(i, j) /= std::hypot(hand_Q(i, 0), hand_Q(i, 1)) *
                                          std::hypot(hand_K(j, 0), hand_K(j, 1));
                      }
                  }
                  return from_raw(scores);
              });

MISCONCEPTION(by_hand, scores_divided_by_d_k,
              "step 2 divides by d_k = 2. Divide by the root of d_k, √2 ≈ 1.414.",
              [] { return from_scaled(hand_raw / 2); });

MISCONCEPTION(by_hand, scores_multiplied,
              "step 2 multiplies by √2. Scaled scores are smaller than the raw ones: divide.",
              [] { return from_scaled(hand_raw * std::sqrt(2.0)); });

MISCONCEPTION(by_hand, scores_divided_by_root_of_n_keys,
              "step 2 divides by √3, the root of the number of keys (or of queries). d_k is the "
              "number of components of a query, 2.",
              [] { return from_scaled(hand_raw / std::sqrt(3.0)); });

MISCONCEPTION(by_hand, third_row_not_scaled,
              "in step 2 the third row is not divided by √d_k. Its weights come to the same, as "
              "its scores are all alike; but every score is divided.",
              [] {
                  Matrix scaled = hand_raw / std::sqrt(2.0);
                  xt::view(scaled, 2) = xt::view(hand_raw, 2);
                  return from_scaled(scaled);
              });

MISCONCEPTION(by_hand, scores_not_scaled, "step 2 repeats the raw scores: nothing was divided.",
              [] { return from_scaled(hand_raw); });

MISCONCEPTION(
    by_hand, weights_of_raw_scores,
    "step 3 takes the softmax of the raw scores of step 1. Use the scaled scores of step 2.",
    [] { return from_weights(softmax(hand_raw)); });

MISCONCEPTION(
    by_hand, weights_of_scores_scaled_twice,
    "step 3 divides by √2 once more before its softmax, which step 2 has done; or it takes "
    "powers of 2, which comes to nearly the same. The base is e, 2.718.",
    [] { return from_weights(softmax(hand_raw / 2)); });

MISCONCEPTION(by_hand, weights_over_columns,
              "in step 3 the columns sum to 1. Softmax runs along a row: each row has to sum to 1.",
              [] { return from_weights(softmax_of_columns(hand_raw / std::sqrt(2.0))); });

MISCONCEPTION(by_hand, weights_over_the_matrix,
              "in step 3 all nine weights together sum to 1. Each row has a sum of its own.",
              [] { return from_weights(softmax_of_everything(hand_raw / std::sqrt(2.0))); });

MISCONCEPTION(by_hand, weights_not_divided,
              "step 3 stops at the exponentials. Each is still to be divided by the sum of its "
              "row.",
              [] { return from_weights(xt::exp(hand_raw / std::sqrt(2.0))); });

MISCONCEPTION(by_hand, weights_without_exp,
              "step 3 divides each score by the sum of its row, without the exponential. Then a "
              "score of 0 has no weight; but e⁰ is 1.",
              [] {
                  const Matrix sums = xt::sum(hand_raw, {1}, xt::keep_dims);
                  return from_weights(hand_raw / sums);
              });

MISCONCEPTION(by_hand, powers_of_10,
              "step 3 takes powers of 10, a calculator's key beside the one for e^x. e is 2.718.",
              [] { return from_weights(softmax(hand_raw / std::sqrt(2.0) * std::log(10.0))); });

MISCONCEPTION(
    by_hand, thirds_in_whole_numbers,
    "in step 3 the weights of query 3 are 0. In C++ 1 / 3 is a division of whole numbers, "
    "and 0: write 1.0 / 3, or three decimals.",
    [] {
        Matrix weights = hand_weights;
        xt::view(weights, 2, xt::all()) = 0;
        ByHand sheet = from_weights(weights);
        sheet.output = matmul(hand_weights, hand_K);
        return sheet;
    });

MISCONCEPTION(by_hand, weights_of_query_1_twice,
              "in step 3 row 2 repeats row 1. The scaled scores of query 2 are those of query 1 in "
              "another order, and its weights stand in that order, too.",
              [] {
                  Matrix weights = hand_weights;
                  xt::view(weights, 1) = xt::view(hand_weights, 0);
                  return from_weights(weights);
              });

constexpr const char* says_sum_of_another_row =
    "in step 3 a row is divided by the sum of another row, and does not sum to 1. Each row has a "
    "sum of its own.";

/// Rows of step 3 from `first` to `last`, divided by the sum of the exponentials of another one.
auto with_the_sum_of(std::size_t row, std::size_t first, std::size_t last) {
    return [=] {
        const Matrix terms = xt::exp(hand_raw / std::sqrt(2.0));
        Matrix weights = hand_weights;
        for (std::size_t i = first; i <= last; ++i) {
            xt::view(weights, i) = xt::view(terms, i) / xt::sum(xt::view(terms, row))();
        }
        return from_weights(weights);
    };
}

MISCONCEPTION(by_hand, third_row_by_another_sum, says_sum_of_another_row, with_the_sum_of(0, 2, 2));
MISCONCEPTION(by_hand, first_rows_by_another_sum, says_sum_of_another_row,
              with_the_sum_of(2, 0, 1));

constexpr const char* says_digits_exchanged =
    "a weight is off as if two of its digits were exchanged, and its row no longer sums to 1. "
    "Compare the sheet with your paper.";

/// Another number where query i weighs key j, in these places {i, j}.
auto with_weight(double number, const std::vector<std::pair<std::size_t, std::size_t>>& places) {
    return [=] {
        Matrix weights = hand_weights;
        for (const auto& [i, j] : places) {
            weights(i, j) = number;
        }
        return from_weights(weights);
    };
}

MISCONCEPTION(by_hand, digits_465_for_query_1, says_digits_exchanged, with_weight(0.465, {{0, 0}}));
MISCONCEPTION(by_hand, digits_465_for_query_2, says_digits_exchanged, with_weight(0.465, {{1, 1}}));
MISCONCEPTION(by_hand, digits_465_for_both, says_digits_exchanged,
              with_weight(0.465, {{0, 0}, {1, 1}}));
MISCONCEPTION(by_hand, digits_252_for_query_1, says_digits_exchanged, with_weight(0.252, {{0, 1}}));
MISCONCEPTION(by_hand, digits_252_for_query_2, says_digits_exchanged, with_weight(0.252, {{1, 0}}));
MISCONCEPTION(by_hand, digits_252_for_both, says_digits_exchanged,
              with_weight(0.252, {{0, 1}, {1, 0}}));

MISCONCEPTION(by_hand, decimal_comma,
              "a number is written with a decimal comma, which C++ reads as two: 0,333 is 0 and "
              "333. Write a point: 0.333.",
              [] {
                  ByHand sheet = from_weights(hand_weights);
                  sheet.weights = lesson::rows(
                      {{0.456, 0.225, 0.320}, {0.225, 0.456, 0.320}, {0, 333, 0, 333, 0, 333}});
                  return sheet;
              });

MISCONCEPTION(by_hand, rows_for_columns,
              "rows and columns are exchanged: a row of the sheet belongs to a query.", [] {
                  ByHand sheet = from_weights(hand_weights);
                  sheet.output = xt::transpose(sheet.output);
                  return sheet;
              });

MISCONCEPTION(by_hand, a_column_too_many,
              "each row has a number too many, as where the sum of a row is written beside it. "
              "Leave it out: a row has a number for each key, and in step 4 for each component.",
              [] {
                  ByHand sheet = from_weights(hand_weights);
                  sheet.weights = xt::hstack(
                      xt::xtuple(Matrix(hand_weights), Matrix(xt::ones<double>({3, 1}))));
                  return sheet;
              });

/// Every number to so many decimals.
Matrix rounded(Matrix cells, double unit) {
    for (double& cell : cells) {
        cell = std::round(cell / unit) * unit;
    }
    return cells;
}

constexpr const char* too_few_decimals =
    "the numbers are right, but have too few digits: three decimals are needed, because rounding "
    "errors grow in the next steps.";

MISCONCEPTION(by_hand, scaled_to_two_decimals, too_few_decimals,
              [] { return from_scaled(rounded(hand_raw / std::sqrt(2.0), 0.01)); });
MISCONCEPTION(by_hand, scaled_to_one_decimal, too_few_decimals,
              [] { return from_scaled(rounded(hand_raw / std::sqrt(2.0), 0.1)); });
MISCONCEPTION(by_hand, root_to_one_decimal,
              "step 2 divides by 1.4. √2 is 1.41421…, and with one decimal of it the third decimal "
              "of a score is wrong.",
              [] { return from_scaled(hand_raw / 1.4); });
MISCONCEPTION(by_hand, weights_to_two_decimals, too_few_decimals,
              [] { return from_weights(rounded(hand_weights, 0.01)); });
MISCONCEPTION(by_hand, weights_to_one_decimal, too_few_decimals,
              [] { return from_weights(rounded(hand_weights, 0.1)); });
MISCONCEPTION(by_hand, output_to_two_decimals, too_few_decimals,
              [] { return with_output(rounded(matmul(hand_weights, hand_K), 0.01)); });
MISCONCEPTION(by_hand, output_to_one_decimal, too_few_decimals,
              [] { return with_output(rounded(matmul(hand_weights, hand_K), 0.1)); });

MISCONCEPTION(by_hand, output_by_columns,
              "step 4 mixes by the columns of the weights. The weights of a query are its row.",
              [] { return with_output(matmul(transposed(hand_weights), hand_K)); });

MISCONCEPTION(by_hand, output_filled_by_columns,
              "the right numbers of step 4 stand column after column: all first components, and "
              "then all second ones. A row of the sheet is a query, with both of its components.",
              [] {
                  const Matrix right = matmul(hand_weights, hand_K);
                  Matrix filled = right;
                  for (std::size_t k = 0; k < right.size(); ++k) {
                      filled.flat(k) = right(k % 3, k / 3);
                  }
                  return with_output(filled);
              });

MISCONCEPTION(by_hand, output_is_the_mean,
              "step 4 is the plain mean of the values. Multiply each value by its weight: only "
              "equal weights give the mean.",
              [] { return with_output(matmul(equal_shares(3, 3), hand_K)); });

MISCONCEPTION(by_hand, third_value_forgotten,
              "step 4 leaves the third value out. Its components are 0.5 each, and its weight "
              "times 0.5 belongs into both columns.",
              [] { return with_output(xt::view(hand_weights, xt::all(), xt::range(0, 2))); });

MISCONCEPTION(by_hand, scores_mix_values,
              "step 4 mixes the values by the scaled scores. Use the weights of step 3.",
              [] { return with_output(matmul(hand_raw / std::sqrt(2.0), hand_K)); });

constexpr const char* says_not_from_step_3 =
    "step 4 mixes by other weights than those of step 3: those of scores that were not divided, or "
    "not by √2. Where an earlier step has been put right, step 4 changes with it: work it out "
    "again from the weights as they stand.";

auto mixed_by_weights_of(double divisor) {
    return [=] { return with_output(matmul(softmax(hand_raw / divisor), hand_K)); };
}

MISCONCEPTION(by_hand, output_of_scores_divided_by_2, says_not_from_step_3, mixed_by_weights_of(2));
MISCONCEPTION(by_hand, output_of_scores_divided_by_root_3, says_not_from_step_3,
              mixed_by_weights_of(std::sqrt(3.0)));
MISCONCEPTION(by_hand, output_of_raw_scores, says_not_from_step_3, mixed_by_weights_of(1));

constexpr const char* tie_missed =
    "several queries tie, and you name only one. Two rows can have the same weights in another "
    "order, and entropy does not depend on the order: name all that tie.";

MISCONCEPTION(by_hand, first_of_the_tie, tie_missed, [] { return with_answers(3, {1}); });

MISCONCEPTION(by_hand, second_of_the_tie, tie_missed, [] { return with_answers(3, {2}); });

constexpr const char* says_from_0 =
    "you count the queries from 0, as C++ does. On this sheet they are labelled from 1.";

MISCONCEPTION(by_hand, counted_from_0, says_from_0, [] { return with_answers(2, {0, 1}); });
MISCONCEPTION(by_hand, focused_counted_from_0, says_from_0, [] { return with_answers(3, {0, 1}); });

MISCONCEPTION(by_hand, words_exchanged,
              "the two answers are exchanged: a query with equal weights attends uniformly, and is "
              "not focused.",
              [] { return with_answers(1, {3}); });

} // namespace
