// More wrong versions of 08.3: slips of those who write it in loops, and weights made again.

#include "wrong.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(attention_backward, softmax_sum_not_reset,
              "on the way through the softmax the sum goes on from query to query: each row "
              "subtracts the sums of those above it, too. It starts at 0 for each query.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  Matrix result = g;
                  double sum = 0;
                  for (std::size_t i = 0; i < g.shape(0); ++i) {
                      for (std::size_t j = 0; j < g.shape(1); ++j) {
                          sum += at.weights(i, j) * g(i, j);
                      }
                      for (std::size_t j = 0; j < g.shape(1); ++j) {
                          result(i, j) = at.weights(i, j) * (g(i, j) - sum);
                      }
                  }
                  return result;
              }));

MISCONCEPTION(attention_backward, d_weights_not_reset,
              "d_weights is added up from query to query: a row still holds those above it. Each "
              "query's starts at 0.",
              by_d_scores([](const Parts& at) {
                  Matrix g = at.seen(at.d_weights());
                  for (std::size_t i = 1; i < g.shape(0); ++i) {
                      for (std::size_t j = 0; j < g.shape(1); ++j) {
                          g(i, j) += g(i - 1, j);
                      }
                  }
                  return right_softmax_backward(at.weights, g);
              }));

/// Each row of X times the sum of what reaches it.
Matrix times_its_own(const Matrix& X, const Vector& sums) {
    Matrix result = X;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        xt::view(result, i, xt::all()) *= sums(i);
    }
    return result;
}

MISCONCEPTION(attention_backward, d_K_from_its_own_key,
              "in d_K each key is multiplied with itself, K(j, c) where Q(i, c) is meant. A score "
              "is q · k: what comes back to a key is the query.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  const Matrix d_scores = at.d_scores() / at.root();
                  result.d_K = times_its_own(at.K, xt::sum(d_scores, {0}));
                  return result;
              }));

MISCONCEPTION(attention_backward, d_Q_from_its_own_query,
              "in d_Q each query is multiplied with itself, Q(i, c) where K(j, c) is meant. A "
              "score is q · k: what comes back to a query is the key.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  const Matrix d_scores = at.d_scores() / at.root();
                  result.d_Q = times_its_own(at.Q, xt::sum(d_scores, {1}));
                  return result;
              }));

MISCONCEPTION(attention_backward, everything_by_unmasked_weights,
              "the weights are computed again from Q and K, and nothing is masked on the way, so "
              "blocked keys have weight and get a gradient. `weights` and `mask` are arguments: "
              "use them.",
              by_parts([](const Parts& at) {
                  Parts other = at;
                  other.weights = oracle::softmax_rows(oracle::scaled_scores(at.Q, at.K));
                  other.mask = xt::ones<bool>({at.Q.shape(0), at.K.shape(0)});
                  return other.right();
              }));

/// weights or d_scores with all rows but the last at 0.
Matrix last_row_of(Matrix X) {
    xt::view(X, xt::range(0, X.shape(0) - 1), xt::all()) = 0;
    return X;
}

MISCONCEPTION(attention_backward, last_query_alone_in_d_K,
              "d_K holds what the last query sends back: = where += is meant. A key collects from "
              "all queries.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  const Matrix d_scores = at.d_scores() / at.root();
                  result.d_K = matmul(transposed(last_row_of(d_scores)), at.Q);
                  return result;
              }));

MISCONCEPTION(attention_backward, last_query_alone_in_d_V,
              "d_V holds what the last query sends back: = where += is meant. A value collects "
              "from all queries.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_V = matmul(transposed(last_row_of(at.weights)), at.d_output);
                  return result;
              }));

MISCONCEPTION(attention_backward, arguments_of_the_softmax_exchanged,
              "softmax_backward is given the gradient for the weights and the weights for the "
              "gradient. The weights come first: softmax_backward(weights, d_weights).",
              by_d_scores([](const Parts& at) {
                  return right_softmax_backward(at.seen(at.d_weights()), at.weights);
              }));

MISCONCEPTION(attention_backward, only_the_first_query_in_d_K_and_d_V,
              "d_K and d_V hold what the first query sends back. They collect from all of them.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  Matrix d_scores = at.d_scores() / at.root();
                  Matrix weights = at.weights;
                  for (std::size_t i = 1; i < weights.shape(0); ++i) {
                      xt::view(d_scores, i, xt::all()) = 0;
                      xt::view(weights, i, xt::all()) = 0;
                  }
                  result.d_K = matmul(transposed(d_scores), at.Q);
                  result.d_V = matmul(transposed(weights), at.d_output);
                  return result;
              }));

} // namespace
