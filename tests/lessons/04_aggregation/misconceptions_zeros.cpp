// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "support/at_zero.hpp"
#include "wrong.hpp"

namespace misconceptions_zeros {

using namespace at_zero;
using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

template <class At>
auto mixed_at(At at) {
    return [at](M weights, M V) { return product(weights, V, at); };
}

template <class At>
auto weighed_at(At at) {
    return [at](M Q, M K) -> Matrix {
        return softmax(product_transposed(Q, K, at) / root(Q.shape(1)));
    };
}

// ---- 04.1, and in 04.3: a weight, or a component of a value, of 0

WRONG_MIXTURE(mixture_ends_at_zero_weight,
              "a mixture ends at the first weight of 0: break where continue was meant. That key "
              "adds nothing, and those after it count.",
              mixed_at(end_at_zero_left));
WRONG_MIXTURE(
    mixture_ends_at_zero_value,
    "a mixture ends at the first value that is 0 in a component: break where continue was "
    "meant. It adds nothing, and the values after it count.",
    mixed_at(end_at_zero_right));
MISCONCEPTION(aggregate, mixture_ends_at_zero_product,
              "a mixture ends at the first product of 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              checked_aggregate(mixed_at(end_at_zero_product)));

MISCONCEPTION(
    aggregate, query_whose_first_weight_is_zero_skipped,
    "a query whose first weight is 0 is skipped, and its output stays 0. It only does not "
    "attend to the first key.",
    checked_aggregate(mixed_at(skip_row_that_begins_with_zero)));
WRONG_MIXTURE(values_of_zero_not_counted,
              "a mixture is divided by the weights of those values only that are not 0, as if a 0 "
              "meant that there is none. It is a value like any other.",
              [](M weights, M V) {
                  Matrix output = matmul(weights, V);
                  for (S i = 0; i < output.shape(0); ++i) {
                      for (S c = 0; c < output.shape(1); ++c) {
                          double counted = 0;
                          for (S j = 0; j < V.shape(0); ++j) {
                              counted += V(j, c) != 0 ? weights(i, j) : 0;
                          }
                          output(i, c) /= counted > 0 ? counted : 1;
                      }
                  }
                  return output;
              });
WRONG_MIXTURE(single_query_gets_the_mean,
              "a single query gets the plain mean of the values. Its weights count as those of "
              "several queries do.",
              [](M weights, M V) {
                  return matmul(weights.shape(0) == 1 ? equal_shares(1, V.shape(0)) : weights, V);
              });
WRONG_MIXTURE(
    values_divided_by_the_largest,
    "the values are divided by the largest of them, or by their length, before they are "
    "mixed. Where they are all 0, so is that, and 0 / 0 is NaN. Weights sum to 1, so that "
    "no mixture is larger than its values: leave the division out.",
    [](M weights, M V) -> Matrix {
        const double most = xt::amax(xt::abs(V))();
        return matmul(weights, V / most) * most;
    });
MISCONCEPTION(aggregate, weights_squared,
              "each value is taken with the square of its weight: it has been multiplied by it "
              "twice.",
              checked_aggregate([](M weights, M V) { return matmul(weights * weights, V); }));

// ---- 04.2, and in 04.3: components and scores of 0

WRONG_WEIGHTS(score_ends_at_zero_in_query,
              "a score ends at a component of the query that is 0: break where continue was meant. "
              "A 0 adds nothing, and what comes after it counts.",
              weighed_at(end_at_zero_left));
WRONG_WEIGHTS(score_ends_at_zero_in_key,
              "a score ends at a component of the key that is 0: break where continue was meant. A "
              "0 adds nothing, and what comes after it counts.",
              weighed_at(end_at_zero_right));
WRONG_WEIGHTS(score_ends_at_zero_product,
              "a score ends at a product that is 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              weighed_at(end_at_zero_product));
WRONG_WEIGHTS(score_of_zero_gets_nothing,
              "a key whose score is 0 gets the weight 0, as if it were blocked. 0 is a score like "
              "any other: exp(0) is 1.",
              [](M Q, M K) {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  Matrix weights = softmax(scores);
                  for (S i = 0; i < weights.shape(0); ++i) {
                      double sum = 0;
                      for (S j = 0; j < weights.shape(1); ++j) {
                          weights(i, j) = scores(i, j) == 0 ? 0 : weights(i, j);
                          sum += weights(i, j);
                      }
                      for (S j = 0; j < weights.shape(1); ++j) {
                          weights(i, j) /= sum > 0 ? sum : 1;
                      }
                  }
                  return weights;
              });
WRONG_WEIGHTS(
    query_of_zeros_gets_nothing,
    "a query of nothing but 0 is taken for padding, and all its weights are 0. Its scores "
    "are all 0, and it attends to all keys alike.",
    [](M Q, M K) {
        return zero_unless(right_weights(Q, K), [&](auto i, auto) {
            return row_sum(Q, i, [](auto& A, auto r, auto c) { return std::abs(A(r, c)); }) > 0;
        });
    });
WRONG_WEIGHTS(single_query_not_scaled,
              "the scores of a single query are not divided. However many queries there are, a "
              "score is divided by √d_k.",
              [](M Q, M K) {
                  return Q.shape(0) == 1 ? softmax(oracle::raw_scores(Q, K)) : right_weights(Q, K);
              });
WRONG_WEIGHTS(two_keys_by_a_sigmoid,
              "of two keys the first gets the sigmoid of its score, as if the score of the second "
              "were 0. It is the sigmoid of the difference of the two.",
              [](M Q, M K) -> Matrix {
                  Matrix weights = right_weights(Q, K);
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  for (S i = 0; i < weights.shape(0) && K.shape(0) == 2; ++i) {
                      weights(i, 0) = 1 / (1 + std::exp(-scores(i, 0)));
                      weights(i, 1) = 1 - weights(i, 0);
                  }
                  return weights;
              });

MISCONCEPTION(self_attention, single_query_returns_first_value,
              "a single query gets the first value as it is. One query mixes all values, like "
              "several.",
              checked_attention([](M Q, M K, M V) -> Matrix {
                  const Matrix output = matmul(right_weights(Q, K), V);
                  return Q.shape(0) == 1 ? Matrix(xt::view(V, xt::range(0, 1), xt::all())) : output;
              }));
MISCONCEPTION(self_attention, centred,
              "the mean of the values is taken from the output: it is centred. The output is the "
              "mixture itself.",
              checked_attention([](M Q, M K, M V) -> Matrix {
                  const Matrix output = matmul(right_weights(Q, K), V);
                  const Matrix mean = matmul(equal_shares(1, V.shape(0)), V);
                  return output - mean;
              }));
MISCONCEPTION(self_attention, output_divided_by_root_of_d_v,
              "the output is divided by √d_v. Only scores are divided, by √d_k.",
              checked_attention([](M Q, M K, M V) -> Matrix {
                  return matmul(right_weights(Q, K), V) / root(V.shape(1));
              }));
MISCONCEPTION(self_attention, weights_of_the_query_before,
              "each query is mixed by the weights of the query before it: the row of weights is "
              "made before the query is read.",
              checked_attention([](M Q, M K, M V) -> Matrix {
                  const Matrix output = matmul(right_weights(Q, K), V);
                  Matrix late = output;
                  for (S i = 1; i < Q.shape(0); ++i) {
                      xt::view(late, i) = xt::view(output, i - 1);
                  }
                  return late;
              }));

} // namespace

} // namespace misconceptions_zeros
