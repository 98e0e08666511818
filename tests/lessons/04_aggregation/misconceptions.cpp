// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include <algorithm>
#include <cmath>

#include "attention/shapes.hpp"
#include "exports.hpp"
#include "support/oracle.hpp"

using attention::Axis;
using lesson::ByHand;
using lesson::Matrix;

namespace {

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

Matrix softmax(const Matrix& scores) {
    return oracle::softmax_rows(scores);
}

Matrix matmul(const Matrix& A, const Matrix& B) {
    return oracle::matmul(A, B);
}

Matrix softmax_of_columns(const Matrix& scores) {
    return transposed(softmax(transposed(scores)));
}

Matrix softmax_of_everything(const Matrix& scores) {
    const Matrix terms = xt::exp(scores - xt::amax(scores)());
    return terms / xt::sum(terms)();
}

/// 1 for the largest weight of each row, 0 for the others.
Matrix hard(const Matrix& weights) {
    Matrix result = xt::zeros<double>({weights.shape(0), weights.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const auto row = xt::view(weights, i, xt::all());
        const auto best = std::max_element(row.begin(), row.end()) - row.begin();
        result(i, static_cast<std::size_t>(best)) = 1;
    }
    return result;
}

Matrix equal_shares(std::size_t n_queries, std::size_t n_keys) {
    return xt::ones<double>({n_queries, n_keys}) / static_cast<double>(n_keys);
}

Matrix right_weights(const Matrix& Q, const Matrix& K) {
    return softmax(oracle::scaled_scores(Q, K));
}

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
              "step 2 divides by d_k = 2. It is the root of d_k that scores are divided by, "
              "√2 ≈ 1.414.",
              [] { return from_scaled(hand_raw / 2); });

MISCONCEPTION(by_hand, scores_multiplied,
              "step 2 multiplies by √2. Scaled scores are smaller than the raw ones: divide.",
              [] { return from_scaled(hand_raw * std::sqrt(2.0)); });

MISCONCEPTION(by_hand, scores_divided_by_root_of_n_keys,
              "step 2 divides by √3, the root of the number of keys (or of queries). d_k is how "
              "many components a query has, and that is 2.",
              [] { return from_scaled(hand_raw / std::sqrt(3.0)); });

MISCONCEPTION(by_hand, scores_not_scaled, "step 2 repeats the raw scores: nothing was divided.",
              [] { return from_scaled(hand_raw); });

MISCONCEPTION(by_hand, weights_of_raw_scores,
              "step 3 takes the softmax of the raw scores of step 1. It is the scaled ones of step "
              "2 that go into it.",
              [] { return from_weights(softmax(hand_raw)); });

MISCONCEPTION(by_hand, weights_of_scores_scaled_twice,
              "step 3 divides by √2 once more before its softmax. Step 2 has done that.",
              [] { return from_weights(softmax(hand_raw / 2)); });

MISCONCEPTION(by_hand, weights_over_columns,
              "in step 3 the columns sum to 1. Softmax runs along a row: it is the query that "
              "shares out its attention.",
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
              "score of 0 weighs nothing; e⁰ is 1.",
              [] {
                  const Matrix sums = xt::sum(hand_raw, {1}, xt::keep_dims);
                  return from_weights(hand_raw / sums);
              });

MISCONCEPTION(by_hand, output_by_columns,
              "step 4 mixes by the columns of the weights. The shares of a query stand in its row.",
              [] { return with_output(matmul(transposed(hand_weights), hand_K)); });

MISCONCEPTION(by_hand, output_is_the_mean,
              "step 4 is the plain mean of the values. Each value counts as much as its weight "
              "says; only for equal weights is that the mean.",
              [] { return with_output(matmul(equal_shares(3, 3), hand_K)); });

MISCONCEPTION(by_hand, third_value_forgotten,
              "step 4 leaves the third value out. Its components are 0.5 each, and its weight "
              "times 0.5 belongs into both columns.",
              [] { return with_output(xt::view(hand_weights, xt::all(), xt::range(0, 2))); });

MISCONCEPTION(by_hand, scores_mix_values,
              "step 4 mixes the values by the scaled scores. The weights of step 3 are what they "
              "are mixed by.",
              [] { return with_output(matmul(hand_raw / std::sqrt(2.0), hand_K)); });

constexpr const char* tie_missed =
    "of queries that tie, you name one. Two rows can hold the same weights in another order, and "
    "entropy does not look at the order: name all that tie.";

MISCONCEPTION(by_hand, first_of_the_tie, tie_missed, [] { return with_answers(3, {1}); });

MISCONCEPTION(by_hand, second_of_the_tie, tie_missed, [] { return with_answers(3, {2}); });

MISCONCEPTION(by_hand, counted_from_0,
              "you count the queries from 0, as C++ does. On this sheet they are labelled from 1.",
              [] {
                  return with_answers(2, {0, 1});
              });

MISCONCEPTION(by_hand, words_exchanged,
              "the two words have changed places: a query with equal weights attends uniformly, "
              "with no focus at all.",
              [] { return with_answers(1, {3}); });

// ---- 04.5 attention_flops and attention_bytes

double real(std::size_t n) {
    return static_cast<double>(n);
}

#define WRONG_FLOPS(name, explanation, expression)                                                 \
    MISCONCEPTION(attention_flops, name, explanation,                                              \
                  [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {                  \
                      [[maybe_unused]] const double N = real(n);                                   \
                      [[maybe_unused]] const double D_k = real(d_k);                               \
                      [[maybe_unused]] const double D_v = real(d_v);                               \
                      return expression;                                                           \
                  })

#define WRONG_BYTES(name, explanation, expression)                                                 \
    MISCONCEPTION(attention_bytes, name, explanation,                                              \
                  [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {                  \
                      [[maybe_unused]] const double N = real(n);                                   \
                      [[maybe_unused]] const double D_k = real(d_k);                               \
                      [[maybe_unused]] const double D_v = real(d_v);                               \
                      return expression;                                                           \
                  })

WRONG_FLOPS(n_instead_of_its_square,
            "this counts n scores. Every one of the n queries meets every one of the n keys: n².",
            2 * N * (D_k + D_v));

WRONG_FLOPS(first_product_only,
            "this is the first product, Q · Kᵀ, alone. The second, weights · V, is missing: its n "
            "times d_v elements are sums over n keys.",
            2 * N * N * D_k);

WRONG_FLOPS(second_product_only,
            "this is the second product, weights · V, alone. The first, Q · Kᵀ, is missing: its n² "
            "elements are sums over d_k components.",
            2 * N * N * D_v);

WRONG_FLOPS(multiplications_only,
            "this is half of it: each term of a sum costs a multiplication and an addition, which "
            "are two operations.",
            N* N*(D_k + D_v));

WRONG_FLOPS(widths_multiplied,
            "d_k and d_v are multiplied here. The two products come one after the other, so their "
            "costs add up.",
            2 * N * N * D_k * D_v);

WRONG_FLOPS(d_k_for_both,
            "both products are counted with d_k. The values have a width of their own, d_v.",
            4 * N * N * D_k);

WRONG_FLOPS(counted_in_integers,
            "right until n² passes 2⁶⁴: the product is taken in integers, and these start again at "
            "0 without a word. Make n a double before you multiply.",
            static_cast<double>(2 * n * n * (d_k + d_v)));

WRONG_BYTES(weights_forgotten,
            "the weights are missing: n² of them, and for a long sequence they are nearly all of "
            "the memory.",
            8 * (2 * N * D_k + 2 * N * D_v));

WRONG_BYTES(n_weights, "this counts n weights. There is one for each query and each key: n².",
            8 * (2 * N * D_k + 2 * N * D_v + N));

WRONG_BYTES(weights_only, "these are the weights alone. Q, K, V and the output take memory too.",
            8 * N * N);

WRONG_BYTES(output_forgotten, "the output is missing. It has a row of d_v numbers for each query.",
            8 * (2 * N * D_k + N * D_v + N * N));

WRONG_BYTES(queries_or_keys_forgotten,
            "Q and K are counted as one matrix. Each has n rows of d_k numbers.",
            8 * (N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(scores_beside_weights,
            "scores and weights are both counted. The contract says that the scores lie where the "
            "weights will, so n² numbers are stored once.",
            8 * (2 * N * D_k + 2 * N * D_v + 2 * N * N));

WRONG_BYTES(floats, "these are floats of 4 bytes. A double has 8.",
            4 * (2 * N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(numbers_not_bytes, "this counts numbers. Each is a double, of 8 bytes.",
            2 * N * D_k + 2 * N * D_v + N * N);

WRONG_BYTES(bits, "this counts 64 bits for each number. A double has 8 bytes.",
            64 * (2 * N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(bytes_in_integers,
            "right until 8 n² passes 2⁶⁴: the product is taken in integers, and these start again "
            "at 0 without a word. Make n a double before you multiply.",
            static_cast<double>(8 * (2 * n * d_k + 2 * n * d_v + n * n)));

} // namespace
