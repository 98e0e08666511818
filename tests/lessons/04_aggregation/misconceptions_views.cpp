// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// arrays are read and written by their memory, views are assigned to, and expressions are computed
// after what they are computed from has changed.

#include "exports.hpp"
#include "support/misread.hpp"
#include "wrong.hpp"

namespace misconceptions_views {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

// ---- 04.2 attention_weights, and within 04.3 self_attention

/// Softmax of each row of the scaled scores by a change in place.
auto softmax_by(void (*change)(double* row, S n)) {
    return [=](M Q, M K) { return misread::rows_changed(oracle::scaled_scores(Q, K), change); };
}

WRONG_WEIGHTS(sum_taken_while_dividing, misread::says_sum_while_dividing,
              softmax_by(misread::softmax_divided_while_summing));
WRONG_WEIGHTS(maximum_taken_while_changing, misread::says_maximum_while_changing,
              softmax_by(misread::shift_while_changing));
WRONG_WEIGHTS(exponentials_of_exponentials_summed, misread::says_exponentials_of_exponentials,
              softmax_by(misread::softmax_by_exponentials_of_exponentials));

MISCONCEPTION(attention_weights, all_weights_in_row_0, misread::says_row_0,
              checked_weights([](M Q, M K) {
                  const Matrix right = right_weights(Q, K);
                  return misread::last_at_the_top(right, misread::zeros_like(right));
              }));
WRONG_WEIGHTS(all_weights_in_row_0_of_the_scores, misread::says_row_0, [](M Q, M K) {
    return misread::last_at_the_top(right_weights(Q, K), oracle::scaled_scores(Q, K));
});

WRONG_WEIGHTS(keys_begin_one_element_on, misread::says_one_element_on,
              [](M Q, M K) { return right_weights(Q, misread::begun_one_element_on(K)); });
WRONG_WEIGHTS(queries_begin_one_element_on, misread::says_one_element_on,
              [](M Q, M K) { return right_weights(misread::begun_one_element_on(Q), K); });

WRONG_WEIGHTS(an_eighth_of_the_scores_copied, misread::says_bytes,
              [](M Q, M K) { return softmax(misread::first_bytes(oracle::scaled_scores(Q, K))); });
WRONG_WEIGHTS(an_eighth_of_the_weights_copied, misread::says_bytes,
              [](M Q, M K) { return misread::first_bytes(right_weights(Q, K)); });
WRONG_WEIGHTS(an_eighth_of_the_scores_divided,
              "only the first eighth of the scores is divided by √d_k: size() is taken for a "
              "number of bytes, and divided by sizeof(double). It counts elements.",
              [](M Q, M K) {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S k = 0; k < scores.size() / sizeof(double); ++k) {
                      scores.flat(k) /= root(Q.shape(1));
                  }
                  return softmax(scores);
              });

WRONG_WEIGHTS(root_of_the_number_of_axes,
              "the scores are divided by the root of 2, whatever d_k is. Q.dimension() is the "
              "number of axes, 2 for every matrix; d_k is the number of columns, Q.shape(1).",
              [](M Q, M K) { return softmax(oracle::raw_scores(Q, K) / root(2)); });

WRONG_WEIGHTS(keys_reshaped,
              "K is reshaped to (d_k, n_keys), which keeps all numbers in their order and cuts the "
              "rows elsewhere: a column of it is no key. A transposition exchanges rows and "
              "columns.",
              [](M Q, M K) {
                  Matrix columns = K;
                  columns.reshape({K.shape(1), K.shape(0)});
                  return softmax(matmul(Q, columns) / root(Q.shape(1)));
              });

WRONG_WEIGHTS(query_multiplied_in_place,
              "the query is multiplied where it is only to be read: q *= key changes what the view "
              "stands for, and key j meets the query times all keys before it. Keep the products "
              "apart: xt::sum(q * key)().",
              [](M Q, M K) {
                  return softmax(misread::multiplied_in_place(Q, K) / root(Q.shape(1)));
              });

// ---- A root that is nearly a whole number

WRONG_WEIGHTS(root_whole_within_0_01,
              "a root of d_k that is nearly a whole number is taken for one. It is none where d_k "
              "is no square: √2501 is not 50. Leave the rounding out.",
              [](M Q, M K) {
                  const double whole = std::round(root(Q.shape(1)));
                  const bool near = std::abs(root(Q.shape(1)) - whole) < 0.01;
                  return softmax(oracle::raw_scores(Q, K) / (near ? whole : root(Q.shape(1))));
              });

// ---- Scores that are nearly equal

/// Equal weights where no two scores of a row differ by more than that.
auto equal_within(double bound) {
    return [=](M Q, M K) {
        Matrix scores = oracle::scaled_scores(Q, K);
        for (S i = 0; i < scores.shape(0); ++i) {
            auto row = xt::view(scores, i);
            if (xt::amax(row)() - xt::amin(row)() < bound) {
                row = 0;
            }
        }
        return softmax(scores);
    };
}

constexpr const char* says_equal_within =
    "scores that are nearly equal are taken as equal. Then weights that differ by little come out "
    "the same: leave the comparison out, since the formula is right for equal scores, too.";

WRONG_WEIGHTS(equal_within_1e_3, says_equal_within, equal_within(1e-3));
WRONG_WEIGHTS(equal_within_1e_5, says_equal_within, equal_within(1e-5));
MISCONCEPTION(attention_weights, equal_within_1e_7, says_equal_within,
              checked_weights(equal_within(1e-7)));
MISCONCEPTION(attention_weights, equal_within_1e_8, says_equal_within,
              checked_weights(equal_within(1e-8)));
MISCONCEPTION(attention_weights, equal_within_1e_9, says_equal_within,
              checked_weights(equal_within(1e-9)));

// ---- 04.1 aggregate, and within 04.3 self_attention

WRONG_MIXTURE(all_written_to_row_0, misread::says_row_0, [](M weights, M V) {
    const Matrix right = matmul(weights, V);
    return misread::last_at_the_top(right, misread::zeros_like(right));
});

WRONG_MIXTURE(values_begin_one_element_on, misread::says_one_element_on,
              [](M weights, M V) { return matmul(weights, misread::begun_one_element_on(V)); });
WRONG_MIXTURE(weights_begin_one_element_on, misread::says_one_element_on,
              [](M weights, M V) { return matmul(misread::begun_one_element_on(weights), V); });

WRONG_MIXTURE(weights_multiplied_in_place,
              "the weights of a query are multiplied where they are only to be read: row *= column "
              "changes what the view stands for, and component c meets the weights times all "
              "components before it. Only the first column is right. Keep the products apart: "
              "xt::sum(row * column)().",
              [](M weights, M V) { return misread::multiplied_in_place(weights, transposed(V)); });

WRONG_MIXTURE(values_multiplied_in_place,
              "the values are multiplied where they are only to be read: value *= weight changes "
              "what the view stands for, and query i meets the values times the weights of all "
              "queries before it. Only the first row is right. Keep the products apart.",
              [](M weights, M V) {
                  return transposed(misread::multiplied_in_place(transposed(V), weights));
              });

WRONG_MIXTURE(an_eighth_of_the_values_copied, misread::says_bytes,
              [](M weights, M V) { return matmul(weights, misread::first_bytes(V)); });
WRONG_MIXTURE(an_eighth_of_the_output_copied, misread::says_bytes,
              [](M weights, M V) { return misread::first_bytes(matmul(weights, V)); });
WRONG_MIXTURE(
    an_eighth_of_the_sums_reset,
    "the sums of a query still hold those of the queries before it, but for their first eighth: "
    "std::memset counts bytes, and a double has 8 of them. Multiply the number of elements by "
    "sizeof(double), or use std::fill_n, which counts elements.",
    [](M weights, M V) {
        Matrix result = matmul(weights, V);
        std::vector<double> sums(V.shape(1), 0.0);
        for (S i = 0; i < result.shape(0); ++i) {
            std::memset(sums.data(), 0, sums.size());
            for (S c = 0; c < sums.size(); ++c) {
                result(i, c) = sums[c] += result(i, c);
            }
        }
        return result;
    });

WRONG_MIXTURE(running_mean_by_the_weight,
              "the output moves towards each value by its weight, output += weight * (value - "
              "output), and the later values count too much. A running mean moves by the weight "
              "divided by all weights so far; the sum of the weighted values needs neither.",
              [](M weights, M V) {
                  Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
                  for (S i = 0; i < weights.shape(0); ++i) {
                      for (S j = 0; j < V.shape(0); ++j) {
                          for (S c = 0; c < V.shape(1); ++c) {
                              const double by = j == 0 ? 1 : weights(i, j);
                              output(i, c) += by * (V(j, c) - output(i, c));
                          }
                      }
                  }
                  return output;
              });
WRONG_MIXTURE(running_mean_from_zero,
              "the output moves towards each value by its weight, output += weight * (value - "
              "output), and what it held before shrinks by as much. Add the weighted values: "
              "output += weight * value.",
              [](M weights, M V) {
                  Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
                  for (S i = 0; i < weights.shape(0); ++i) {
                      for (S j = 0; j < V.shape(0); ++j) {
                          for (S c = 0; c < V.shape(1); ++c) {
                              output(i, c) += weights(i, j) * (V(j, c) - output(i, c));
                          }
                      }
                  }
                  return output;
              });

// ---- 04.3 self_attention: a table that finds a value by its key

MISCONCEPTION(
    self_attention, last_of_equal_keys,
    "of keys that are equal only the last is left, with its value: a std::map, or another table in "
    "which each key stands once, finds values by their keys. Equal keys are tokens of their own, "
    "and each of them gets a weight.",
    checked_attention([](M Q, M K, M V) {
        Matrix weights = xt::exp(oracle::scaled_scores(Q, K));
        for (S i = 0; i < weights.shape(0); ++i) {
            for (S j = 0; j < K.shape(0); ++j) {
                for (S later = j + 1; later < K.shape(0); ++later) {
                    const bool same = xt::row(K, static_cast<std::ptrdiff_t>(j)) ==
                                      xt::row(K, static_cast<std::ptrdiff_t>(later));
                    weights(i, j) = same ? 0 : weights(i, j);
                }
            }
        }
        const Matrix sums = xt::sum(weights, {1}, xt::keep_dims);
        return matmul(Matrix(weights / sums), V);
    }));

} // namespace

} // namespace misconceptions_views
