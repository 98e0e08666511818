// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "attention/shapes.hpp"
#include "exports.hpp"
#include "wrong.hpp"

using attention::Axis;
using lesson::Matrix;

using namespace wrong;

namespace {

// ---- The checks that stand in the stubs, and so in a learner's file: without them the two would
// part on shapes that do not fit.

template <class Wrong>
auto checked_aggregate(Wrong wrong) {
    return [wrong](const Matrix& weights, const Matrix& V) -> Matrix {
        attention::require_shared("aggregate", "n_keys", Axis{"weights", weights, 1},
                                  Axis{"V", V, 0});
        return wrong(weights, V);
    };
}

void require_comparable(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        throw std::invalid_argument("Q and K must share d_k, and it must not be 0; Q is " +
                                    lesson::shape_text(Q) + ", K is " + lesson::shape_text(K));
    }
}

template <class Wrong>
auto checked_weights(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K) -> Matrix {
        require_comparable(Q, K);
        return wrong(Q, K);
    };
}

template <class Wrong>
auto checked_attention(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
        require_comparable(Q, K);
        attention::require_shared("self_attention", "n_keys", Axis{"K", K, 0}, Axis{"V", V, 0});
        return wrong(Q, K, V);
    };
}

// ---- 04.1 aggregate

constexpr const char* weights_by_columns =
    "this is weightsᵀ · V: it mixes by a column of the weights. A column says how much each query "
    "wants of one key; the shares that sum to 1 stand in a row, and query i mixes by row i.";

MISCONCEPTION(aggregate, transposed_weights, weights_by_columns,
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(transposed(weights), V);
              }));

MISCONCEPTION(aggregate, transposed_weights_in_loops, weights_by_columns,
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      for (std::size_t j = 0; j < weights.shape(1); ++j) {
                          for (std::size_t c = 0; c < V.shape(1); ++c) {
                              output(i, c) += weights(j, i) * V(j, c);
                          }
                      }
                  }
                  return output;
              }));

MISCONCEPTION(aggregate, plain_mean,
              "this is the plain mean of the values, the same for every query. The weights have to "
              "come in: each value counts as much as its weight says.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(equal_shares(weights.shape(0), weights.shape(1)), V);
              }));

MISCONCEPTION(aggregate, plain_sum,
              "this adds the values up and does not weigh them. Each value is to be multiplied by "
              "its weight first.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(xt::ones<double>({weights.shape(0), weights.shape(1)}), V);
              }));

MISCONCEPTION(aggregate, best_value_only,
              "each query gets the one value that it weighs most, and nothing of the others: hard "
              "attention. Which value that is changes in jumps, so there is no derivative to learn "
              "from; a mixture changes smoothly.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(hard(weights), V);
              }));

MISCONCEPTION(aggregate, last_term_only,
              "only the last value is in the result, times its weight: = where += is needed. All "
              "values are added up.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  const std::size_t last = V.shape(0) - 1;
                  const Matrix w = xt::view(weights, xt::all(), xt::range(last, last + 1));
                  const Matrix v = xt::view(V, xt::range(last, last + 1), xt::all());
                  return matmul(w, v);
              }));

MISCONCEPTION(aggregate, last_key_left_out,
              "the last value is left out: the loop over the keys ends one too early.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  const std::size_t last = V.shape(0) - 1;
                  const Matrix w = xt::view(weights, xt::all(), xt::range(std::size_t{0}, last));
                  const Matrix v = xt::view(V, xt::range(std::size_t{0}, last), xt::all());
                  return matmul(w, v);
              }));

MISCONCEPTION(
    aggregate, sum_not_reset,
    "each element still holds the sums of the elements before it. The sum starts at 0 for "
    "every element of the output.",
    checked_aggregate([](const Matrix& weights, const Matrix& V) {
        Matrix output = matmul(weights, V);
        for (std::size_t k = 1; k < output.size(); ++k) {
            output.flat(k) += output.flat(k - 1);
        }
        return output;
    }));

MISCONCEPTION(aggregate, divided_by_n_keys,
              "this is right but for a division by n_keys. The weights are shares already and sum "
              "to 1: a weighted sum with them is a mean.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) -> Matrix {
                  return matmul(weights, V) / static_cast<double>(V.shape(0));
              }));

MISCONCEPTION(aggregate, softmax_applied_again,
              "softmax is applied to the weights once more. They come out of a softmax and sum to "
              "1; a second one makes them nearly equal.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(softmax(weights), V);
              }));

MISCONCEPTION(aggregate, values_by_rows,
              "this is weights · Vᵀ. Scores pair row with row; here a row of the weights meets the "
              "columns of V, because it is the n_keys values that are mixed.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return oracle::matmul_transposed(weights, V);
              }));

MISCONCEPTION(aggregate, transposed_result,
              "these are the right numbers in a transposed matrix. Row i of the output belongs to "
              "query i: its shape is (n_queries, d_v).",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return transposed(matmul(weights, V));
              }));

MISCONCEPTION(aggregate, element_wise_product,
              "this multiplies weights and V element by element. In xtensor * is never the matrix "
              "product: that pairs a row of the weights with a column of V, and sums.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) -> Matrix {
                  return weights * V;
              }));

// ---- 04.2 attention_weights, and within 04.3 self_attention

/// The wrong weights as a part of the whole.
template <class Wrong>
auto mixing_values(Wrong wrong) {
    return checked_attention([wrong](const Matrix& Q, const Matrix& K, const Matrix& V) {
        return matmul(Matrix(wrong(Q, K)), V);
    });
}

#define WRONG_WEIGHTS(name, explanation, ...)                                                      \
    MISCONCEPTION(attention_weights, name, explanation, checked_weights(__VA_ARGS__));             \
    MISCONCEPTION(self_attention, name##_in_attention, explanation, mixing_values(__VA_ARGS__))

WRONG_WEIGHTS(not_scaled,
              "the scores are not scaled: the division by √d_k is missing between Q · Kᵀ and the "
              "softmax.",
              [](const Matrix& Q, const Matrix& K) { return softmax(oracle::raw_scores(Q, K)); });

WRONG_WEIGHTS(divided_by_d_k,
              "the scores are divided by d_k, not by its root; scaling twice comes to the same, "
              "and attention::scaled_scores has scaled already.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::scaled_scores(Q, K) / root(Q.shape(1)));
              });

WRONG_WEIGHTS(multiplied, "the scores are multiplied by √d_k. They have to be divided.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::raw_scores(Q, K) * root(Q.shape(1)));
              });

WRONG_WEIGHTS(root_of_n_keys,
              "the scores are divided by √n_keys. What is summed in a score is d_k products, "
              "however many keys there are.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::raw_scores(Q, K) / root(K.shape(0)));
              });

WRONG_WEIGHTS(scaled_after_softmax,
              "softmax comes first here and the division by √d_k after it. Then the scores were "
              "never scaled, and the weights of a query sum to 1/√d_k, not to 1.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  return softmax(oracle::raw_scores(Q, K)) / root(Q.shape(1));
              });

WRONG_WEIGHTS(softmax_over_queries,
              "softmax runs down the columns: for each key, the shares of the queries sum to 1. It "
              "is the query that shares out its attention, over the keys: rows sum to 1.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax_of_columns(oracle::scaled_scores(Q, K));
              });

WRONG_WEIGHTS(softmax_over_the_matrix,
              "softmax runs over the whole matrix, so that all weights together sum to 1. Each "
              "query has an attention of 1 of its own: a softmax for each row.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax_of_everything(oracle::scaled_scores(Q, K));
              });

WRONG_WEIGHTS(no_softmax,
              "the scaled scores are used as weights as they are, without a softmax. They may be "
              "negative, and do not sum to 1.",
              [](const Matrix& Q, const Matrix& K) { return oracle::scaled_scores(Q, K); });

WRONG_WEIGHTS(exponentials_only,
              "these are the exponentials of the scaled scores, not yet divided by the sum of "
              "their row.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  return xt::exp(oracle::scaled_scores(Q, K));
              });

WRONG_WEIGHTS(softmax_twice,
              "softmax is applied twice. The second one takes weights for scores and makes them "
              "nearly equal.",
              [](const Matrix& Q, const Matrix& K) { return softmax(right_weights(Q, K)); });

WRONG_WEIGHTS(queries_with_queries,
              "the queries are compared with each other, and K is never looked at.",
              [](const Matrix& Q, const Matrix&) { return right_weights(Q, Q); });

WRONG_WEIGHTS(keys_ask,
              "Q and K have changed places: here each key shares out its attention over the "
              "queries. In Q · Kᵀ a row belongs to a query.",
              [](const Matrix& Q, const Matrix& K) { return right_weights(K, Q); });

WRONG_WEIGHTS(best_key_only,
              "each query gives everything to its best key: that is arg-max. Softmax is the soft "
              "version of it, and leaves every key some weight.",
              [](const Matrix& Q, const Matrix& K) { return hard(right_weights(Q, K)); });

WRONG_WEIGHTS(causal,
              "each query attends only to the keys up to its own position: that is causal masking, "
              "the subject of lesson 05. Here every query sees every key.",
              [](const Matrix& Q, const Matrix& K) {
                  Matrix weights = right_weights(Q, K);
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      double sum = 0;
                      for (std::size_t j = 0; j < weights.shape(1); ++j) {
                          weights(i, j) *= j <= i ? 1 : 0;
                          sum += weights(i, j);
                      }
                      for (std::size_t j = 0; j < weights.shape(1); ++j) {
                          weights(i, j) /= sum;
                      }
                  }
                  return weights;
              });

MISCONCEPTION(attention_weights, no_maximum,
              "the formula is taken word for word, and large scores overflow: exp(1000) is "
              "infinite, and inf / inf is NaN. Subtract each row's largest score first, or leave "
              "that to attention::softmax_rows.",
              checked_weights([](const Matrix& Q, const Matrix& K) -> Matrix {
                  const Matrix terms = xt::exp(oracle::scaled_scores(Q, K));
                  const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
                  return terms / sums;
              }));

MISCONCEPTION(attention_weights, weights_transposed,
              "these are the right weights in a transposed matrix. Row i belongs to query i: the "
              "shape is (n_queries, n_keys).",
              checked_weights([](const Matrix& Q, const Matrix& K) {
                  return transposed(right_weights(Q, K));
              }));

// ---- 04.3 self_attention

MISCONCEPTION(self_attention, weights_returned,
              "these are the attention weights. One step is left: they are to mix the values.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix&) {
                  return right_weights(Q, K);
              }));

MISCONCEPTION(self_attention, keys_mixed,
              "the weights mix the keys, and V is never looked at. A key is what a position is "
              "found by; what it gives is its value.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix&) {
                  return matmul(right_weights(Q, K), K);
              }));

MISCONCEPTION(
    self_attention, keys_and_values_exchanged,
    "K and V have changed places: queries are compared with keys, and the values are what "
    "is mixed.",
    checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
        return matmul(right_weights(Q, V), K);
    }));

MISCONCEPTION(self_attention, values_multiplied_element_by_element,
              "weights and values are multiplied element by element. In xtensor * is never the "
              "matrix product: here each row of the weights is to mix all rows of V.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                  return right_weights(Q, K) * V;
              }));

MISCONCEPTION(self_attention, mean_of_values,
              "every query gets the plain mean of the values, whatever it asks for. The scores "
              "have to come in.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(equal_shares(Q.shape(0), K.shape(0)), V);
              }));

MISCONCEPTION(self_attention, root_of_d_v,
              "the scores are divided by √d_v, the columns of V. Values take no part in a score: "
              "it sums d_k products, the columns of Q and K.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  const Matrix scores = oracle::raw_scores(Q, K) / root(V.shape(1));
                  return matmul(softmax(scores), V);
              }));

MISCONCEPTION(self_attention, transposed_weights_in_attention,
              "the weights are right, but the values are mixed by their columns, weightsᵀ · V. The "
              "shares of query i stand in row i.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(transposed(right_weights(Q, K)), V);
              }));

MISCONCEPTION(self_attention, values_added,
              "the values themselves are added to the output. A Transformer has such a residual "
              "connection, but around attention, and with its input: the mechanism ends with the "
              "mixture.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                  return V + matmul(right_weights(Q, K), V);
              }));

} // namespace
