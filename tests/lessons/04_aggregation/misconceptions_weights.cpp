// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using lesson::Matrix;

using namespace wrong;

namespace {

// ---- 04.2 attention_weights, and within 04.3 self_attention

WRONG_WEIGHTS(not_scaled,
              "the scores are not divided by √d_k before the softmax: not at all, or by 1, as "
              "pow(d_k, 1 / 2) is, where 1 / 2 is 0.",
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

WRONG_WEIGHTS(
    root_of_n_keys,
    "the scores are divided by √n_keys. A score sums d_k products, for any number of keys.",
    [](const Matrix& Q, const Matrix& K) {
        return softmax(oracle::raw_scores(Q, K) / root(K.shape(0)));
    });

WRONG_WEIGHTS(scaled_after_softmax,
              "the division by √d_k comes after the softmax. Then the scores are not scaled, and "
              "the weights of a query sum to 1/√d_k, not to 1.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  return softmax(oracle::raw_scores(Q, K)) / root(Q.shape(1));
              });

WRONG_WEIGHTS(softmax_over_queries,
              "softmax runs down the columns. It has to run along a row, over the keys of a query: "
              "rows sum to 1.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax_of_columns(oracle::scaled_scores(Q, K));
              });

WRONG_WEIGHTS(softmax_over_the_matrix,
              "softmax runs over the whole matrix, so that all weights together sum to 1. Each row "
              "needs its own softmax.",
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

WRONG_WEIGHTS(queries_with_queries, "the queries are compared with each other, and K is not used.",
              [](const Matrix& Q, const Matrix&) { return right_weights(Q, Q); });

WRONG_WEIGHTS(keys_ask, "Q and K are exchanged. In Q · Kᵀ a row belongs to a query.",
              [](const Matrix& Q, const Matrix& K) { return right_weights(K, Q); });

WRONG_WEIGHTS(best_key_only,
              "each query gives all weight to its best key: that is arg-max. Softmax gives every "
              "key some weight.",
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

MISCONCEPTION(attention_weights, weights_transposed,
              "these are the right weights in a transposed matrix. Row i belongs to query i: the "
              "shape is (n_queries, n_keys).",
              checked_weights([](const Matrix& Q, const Matrix& K) {
                  return transposed(right_weights(Q, K));
              }));

WRONG_WEIGHTS(root_of_one_more,
              "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::raw_scores(Q, K) / root(Q.shape(1) + 1));
              });

WRONG_WEIGHTS(root_of_n_queries,
              "the scores are divided by √n_queries. A score sums d_k products, for any number of "
              "queries: d_k is the columns of Q, shape(1).",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::raw_scores(Q, K) / root(Q.shape(0)));
              });

WRONG_WEIGHTS(root_of_the_size,
              "the scores are divided by the root of Q.size(), the number of all elements. d_k is "
              "the number of components of one query: Q.shape(1).",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::raw_scores(Q, K) / root(Q.size()));
              });

WRONG_WEIGHTS(root_of_the_size_of_keys,
              "the scores are divided by the root of K.size(), the number of all elements. d_k is "
              "the number of components of one key: K.shape(1).",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::raw_scores(Q, K) / root(K.size()));
              });

WRONG_WEIGHTS(
    fourth_root,
    "the scores are divided by the root of √d_k, as when the scaling is shared between Q and K and "
    "one of the two is left out. Both together, or the scores, are divided by √d_k.",
    [](const Matrix& Q, const Matrix& K) {
        return softmax(oracle::raw_scores(Q, K) / std::sqrt(root(Q.shape(1))));
    });

WRONG_WEIGHTS(
    root_cut_to_an_integer,
    "√d_k is cut to a whole number, so that √2 and √3 are 1. Keep its fraction, in a double.",
    [](const Matrix& Q, const Matrix& K) {
        return softmax(oracle::raw_scores(Q, K) / std::floor(root(Q.shape(1))));
    });

MISCONCEPTION(attention_weights, scaled_before_and_after,
              "these are the right weights, divided by √d_k once more. The scores have been "
              "divided; the weights of a query sum to 1.",
              checked_weights([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return right_weights(Q, K) / root(Q.shape(1));
              }));

WRONG_WEIGHTS(keys_with_keys, "the keys are compared with each other, and Q is not used.",
              [](const Matrix&, const Matrix& K) { return right_weights(K, K); });

MISCONCEPTION(attention_weights, equal_weights,
              "every key gets the same weight. Check that the scores are used, and that they are "
              "not added to memory that was never set to 0.",
              checked_weights([](const Matrix& Q, const Matrix& K) {
                  return equal_shares(Q.shape(0), K.shape(0));
              }));

WRONG_WEIGHTS(negative_scores,
              "the sign of the scores is wrong: the key that fits best gets least.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(-oracle::scaled_scores(Q, K));
              });

/// Scaled scores, divided by some of the lengths.
Matrix of_length_one(const Matrix& Q, const Matrix& K, bool queries, bool keys) {
    Matrix scores = oracle::scaled_scores(Q, K);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            scores(i, j) /= std::sqrt((queries ? xt::sum(xt::square(xt::view(Q, i)))() : 1) *
                                      (keys ? xt::sum(xt::square(xt::view(K, j)))() : 1));
        }
    }
    return scores;
}

WRONG_WEIGHTS(cosines,
              "queries and keys are divided by their lengths, so that scores are cosines. The "
              "formula keeps the lengths: a score is the dot product over √d_k.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(of_length_one(Q, K, true, true) * root(Q.shape(1)));
              });

WRONG_WEIGHTS(cosines_scaled,
              "queries and keys are divided by their lengths, so that scores are cosines, and "
              "those by √d_k. The formula keeps the lengths: a score is the dot product over √d_k.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(of_length_one(Q, K, true, true));
              });

WRONG_WEIGHTS(keys_of_length_one,
              "each key is divided by its length before the scores are made. The formula keeps the "
              "lengths: a score is the dot product over √d_k.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(of_length_one(Q, K, false, true));
              });

WRONG_WEIGHTS(queries_of_length_one,
              "each query is divided by its length before the scores are made. The formula keeps "
              "the lengths: a score is the dot product over √d_k.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(of_length_one(Q, K, true, false));
              });

// In double, as a learner has them: how they round counts.

Matrix squared_distances(const Matrix& Q, const Matrix& K) {
    Matrix result = xt::zeros<double>({Q.shape(0), K.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                const double difference = Q(i, c) - K(j, c);
                result(i, j) += difference * difference;
            }
        }
    }
    return result;
}

/// (‖q + k‖² − ‖q − k‖²) / 4: of each component, or of whole rows.
Matrix products_from_squares(const Matrix& Q, const Matrix& K, bool of_each) {
    Matrix result = xt::zeros<double>({Q.shape(0), K.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            double of_sums = 0, of_differences = 0;
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                const double sum = Q(i, c) + K(j, c), difference = Q(i, c) - K(j, c);
                of_sums += sum * sum;
                of_differences += difference * difference;
                result(i, j) += (sum * sum - difference * difference) / 4;
            }
            result(i, j) = of_each ? result(i, j) : (of_sums - of_differences) / 4;
        }
    }
    return result;
}

constexpr const char* says_distance =
    "keys are compared with the query by distance, ‖q − k‖ or its square, and not by the dot "
    "product q · k. A distance punishes a key for being long, which the dot product rewards.";

WRONG_WEIGHTS(half_the_squared_distance, says_distance, [](const Matrix& Q, const Matrix& K) {
    return softmax(-squared_distances(Q, K) / 2 / root(Q.shape(1)));
});
WRONG_WEIGHTS(squared_distance, says_distance, [](const Matrix& Q, const Matrix& K) {
    return softmax(-squared_distances(Q, K) / root(Q.shape(1)));
});
WRONG_WEIGHTS(distance, says_distance, [](const Matrix& Q, const Matrix& K) {
    return softmax(-xt::sqrt(squared_distances(Q, K)) / root(Q.shape(1)));
});

constexpr const char* says_squared_lengths =
    "the dot products are made from squared lengths, as (‖q + k‖² − ‖q − k‖²) / 4 or (‖q‖² + ‖k‖² "
    "− ‖q − k‖²) / 2. On paper that is the same; where one vector is far longer than the other, "
    "the difference of two large numbers has lost all digits of the score. Sum the products.";

WRONG_WEIGHTS(scores_from_squared_lengths, says_squared_lengths,
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(products_from_squares(Q, K, false) / root(Q.shape(1)));
              });
WRONG_WEIGHTS(scores_from_squared_components, says_squared_lengths,
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(products_from_squares(Q, K, true) / root(Q.shape(1)));
              });

WRONG_WEIGHTS(powers_of_2,
              "these are powers of 2, not of e: softmax is made with std::exp, not with exp2.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::scaled_scores(Q, K) * std::log(2.0));
              });

WRONG_WEIGHTS(sigmoid,
              "each score goes through a sigmoid by itself. Softmax divides by the sum over all "
              "keys, so that they compete, and the weights of a query sum to 1.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  return 1 / (1 + xt::exp(-oracle::scaled_scores(Q, K)));
              });

WRONG_WEIGHTS(logarithms, "these are the logarithms of the weights: a log-softmax.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  return xt::log(right_weights(Q, K));
              });

/// A with 0 in a column.
Matrix without_column(Matrix A, std::size_t column) {
    xt::view(A, xt::all(), column) = 0;
    return A;
}

WRONG_WEIGHTS(last_component_left_out_of_scores,
              "the last component of queries and keys is not in the scores: the loop over the d_k "
              "components ends one too early.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::scaled_scores(without_column(Q, Q.shape(1) - 1), K));
              });

WRONG_WEIGHTS(first_component_left_out_of_scores,
              "the first component of queries and keys is not in the scores: the loop over the d_k "
              "components begins at 1, and they count from 0.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(oracle::scaled_scores(without_column(Q, 0), K));
              });

WRONG_WEIGHTS(
    negative_scores_cut_off,
    "negative scores have become 0 before the softmax. A key that fits badly then gets as "
    "much as one that fits not at all: softmax takes scores of both signs.",
    [](const Matrix& Q, const Matrix& K) {
        return softmax(Matrix(xt::maximum(oracle::scaled_scores(Q, K), 0.0)));
    });

WRONG_WEIGHTS(scores_without_their_signs,
              "the scores have lost their signs. A key that points the opposite way then gets as "
              "much as one that fits.",
              [](const Matrix& Q, const Matrix& K) {
                  return softmax(Matrix(xt::abs(oracle::scaled_scores(Q, K))));
              });

WRONG_WEIGHTS(own_key_left_out,
              "query i gives no weight to key i. Here every query sees every key, the one of its "
              "own position, too.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix weights = right_weights(Q, K);
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      if (i < weights.shape(1) && weights.shape(1) > 1) {
                          weights(i, i) = 0;
                          xt::view(weights, i) /= xt::sum(xt::view(weights, i))();
                      }
                  }
                  return weights;
              });

} // namespace
