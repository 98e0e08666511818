// Wrong versions that show only where shapes are equal; see misconceptions.cpp for what becomes of
// them.

#include "exports.hpp"
#include "wrong.hpp"

using lesson::Matrix;

using namespace wrong;

namespace {

bool as_many(const Matrix& Q, const Matrix& K) {
    return Q.shape(0) == K.shape(0);
}

bool is_square(const Matrix& A) {
    return A.shape(0) == A.shape(1);
}

WRONG_WEIGHTS(transposed_where_square,
              "the weights are transposed where there are as many queries as keys. A row belongs "
              "to a query, whatever the shape.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  const Matrix weights = right_weights(Q, K);
                  return as_many(Q, K) ? transposed(weights) : weights;
              });

WRONG_WEIGHTS(exchanged_where_as_many,
              "queries and keys are exchanged where there are as many of both: there the keys ask, "
              "K · Qᵀ. It is Q · Kᵀ, a row for each query, whatever the shape.",
              [](const Matrix& Q, const Matrix& K) {
                  return as_many(Q, K) ? right_weights(K, Q) : right_weights(Q, K);
              });

WRONG_WEIGHTS(columns_where_as_many,
              "where there are as many queries as keys softmax runs down the columns. It runs "
              "along a row, over the keys of a query, whatever the shape.",
              [](const Matrix& Q, const Matrix& K) {
                  return as_many(Q, K) ? softmax_of_columns(oracle::scaled_scores(Q, K))
                                       : right_weights(Q, K);
              });

WRONG_WEIGHTS(keys_not_transposed_where_square,
              "K is not transposed where it is square: Q · K. A score compares a row of Q with a "
              "row of K, whatever the shape.",
              [](const Matrix& Q, const Matrix& K) {
                  return right_weights(Q, is_square(K) ? transposed(K) : K);
              });

MISCONCEPTION(self_attention, values_transposed_where_square,
              "V is transposed where it is square. A value is a row of V, whatever the shape.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(right_weights(Q, K), is_square(V) ? transposed(V) : V);
              }));

MISCONCEPTION(self_attention, output_transposed_where_square,
              "the output is transposed where it is square. Row i is the output of query i, "
              "whatever the shape.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                  const Matrix output = matmul(right_weights(Q, K), V);
                  return is_square(output) ? transposed(output) : output;
              }));

MISCONCEPTION(aggregate, causal_where_square,
              "with as many keys as queries, query i mixes only the values 0 to i. That is causal, "
              "the subject of lesson 05; here every value counts that has a weight.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) -> Matrix {
                  Matrix left = weights;
                  for (std::size_t i = 0; is_square(left) && i < left.shape(0); ++i) {
                      for (std::size_t j = i + 1; j < left.shape(1); ++j) {
                          left(i, j) = 0;
                      }
                  }
                  return matmul(left, V);
              }));

} // namespace
