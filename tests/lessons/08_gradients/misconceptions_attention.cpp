// Wrong versions of 08.3.

#include <limits>

#include "wrong.hpp"

using namespace wrong;

namespace {

double size(const Matrix& X, std::size_t axis) {
    return static_cast<double>(X.shape(axis));
}

// ---- the scale

MISCONCEPTION(
    attention_backward, scale_forgotten,
    "the division by √d_k is missing on the way back, or is one by 1, as pow(d_k, 1 / 2) is, where "
    "1 / 2 is 0. Scores are Q Kᵀ / √d_k, so what reaches d_Q and d_K is divided by √d_k too.",
    by_divisor([](const Parts&) { return 1.0; }));

MISCONCEPTION(
    attention_backward, scale_forgotten_in_d_Q,
    "d_K is divided by √d_k and d_Q is not. The scale stands in the scores, which both go "
    "through.",
    by_parts([](const Parts& at) {
        AttentionGradients result = at.right();
        result.d_Q *= at.root();
        return result;
    }));

MISCONCEPTION(
    attention_backward, scale_forgotten_in_d_K,
    "d_Q is divided by √d_k and d_K is not. The scale stands in the scores, which both go "
    "through.",
    by_parts([](const Parts& at) {
        AttentionGradients result = at.right();
        result.d_K *= at.root();
        return result;
    }));

MISCONCEPTION(attention_backward, scaled_twice,
              "d_Q and d_K are divided by d_k, which is √d_k twice: once at the scores is enough.",
              by_divisor([](const Parts& at) { return at.root() * at.root(); }));

MISCONCEPTION(attention_backward, scale_multiplied,
              "d_Q and d_K are multiplied by √d_k. A score that is divided by √d_k moves less, and "
              "so does what comes back through it: divide here as well.",
              by_divisor([](const Parts& at) { return 1 / at.root(); }));

MISCONCEPTION(attention_backward, root_of_d_v,
              "the division is by the root of d_v, the components of a value. It is by √d_k, those "
              "of a query: Q.shape(1).",
              by_divisor([](const Parts& at) { return std::sqrt(size(at.V, 1)); }));

MISCONCEPTION(attention_backward, root_of_n_keys,
              "the division is by the root of the number of keys. It is by √d_k, the components of "
              "a key: K.shape(1).",
              by_divisor([](const Parts& at) { return std::sqrt(size(at.K, 0)); }));

MISCONCEPTION(attention_backward, root_of_n_queries,
              "the division is by the root of the number of queries. It is by √d_k, the components "
              "of a query: Q.shape(1).",
              by_divisor([](const Parts& at) { return std::sqrt(size(at.Q, 0)); }));

MISCONCEPTION(attention_backward, root_of_one_more,
              "the division is by √(d_k + 1). A score sums d_k products: √d_k.",
              by_divisor([](const Parts& at) { return std::sqrt(size(at.Q, 1) + 1); }));

MISCONCEPTION(attention_backward, root_of_a_whole_number,
              "the root of d_k is cut to a whole number. Compute it in double: "
              "std::sqrt(static_cast<double>(d_k)).",
              by_divisor([](const Parts& at) { return std::floor(at.root()); }));

MISCONCEPTION(attention_backward, d_V_scaled,
              "d_V is divided by √d_k as well. The values do not go through the scores: d_V is "
              "weightsᵀ · d_output.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_V /= at.root();
                  return result;
              }));

// ---- the softmax

MISCONCEPTION(attention_backward, softmax_left_out,
              "d_weights goes straight on to Q and K, as if there were no softmax between weights "
              "and scores. softmax_backward(weights, d_weights) makes d_scores of it.",
              by_d_scores([](const Parts& at) { return at.seen(at.d_weights()); }));

MISCONCEPTION(attention_backward, softmax_sum_forgotten,
              "on the way through the softmax the row's sum is not subtracted: p ∘ g, where it is "
              "p ∘ (g − Σ p g).",
              by_d_scores([](const Parts& at) -> Matrix {
                  return at.weights * at.seen(at.d_weights());
              }));

MISCONCEPTION(attention_backward, softmax_diagonal_alone,
              "on the way through the softmax only the Jacobian's diagonal is used, p (1 − p) g. "
              "Each score moves all weights of its row: p ∘ (g − Σ p g).",
              by_d_scores([](const Parts& at) -> Matrix {
                  return at.weights * (1 - at.weights) * at.seen(at.d_weights());
              }));

MISCONCEPTION(attention_backward, softmax_over_queries,
              "on the way through the softmax the sum runs over the queries. Each row, each query, "
              "has a sum of its own.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const Matrix sums = xt::sum(at.weights * g, {0}, xt::keep_dims);
                  return at.weights * (g - sums);
              }));

MISCONCEPTION(attention_backward, log_softmax_for_softmax,
              "on the way through the softmax stands g − p Σ g, which belongs to a log-softmax. "
              "The gradient comes at the weights themselves: p ∘ (g − Σ p g).",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const Matrix sums = xt::sum(g, {1}, xt::keep_dims);
                  return xt::where(at.mask, g - at.weights * sums, 0.0);
              }));

MISCONCEPTION(attention_backward, softmax_sum_added,
              "on the way through the softmax the row's sum is added: p ∘ (g + Σ p g). It is "
              "subtracted.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const Matrix sums = xt::sum(at.weights * g, {1}, xt::keep_dims);
                  return at.weights * (g + sums);
              }));

// ---- the mask

MISCONCEPTION(attention_backward, zero_times_infinity,
              "a blocked key's d_weights is multiplied by 0, by its weight or by the mask. What "
              "stands at padding may be infinite, or so large that d_output · Vᵀ is, and 0 · ∞ is "
              "NaN. Replace it by 0 instead: "
              "xt::where(mask, d_weights, 0.0), before the softmax's sum is taken.",
              by_d_scores([](const Parts& at) {
                  return right_softmax_backward(at.weights, at.d_weights());
              }));

MISCONCEPTION(attention_backward, blocked_after_the_softmax,
              "blocked keys are set to 0 after the way back through the softmax. By then they have "
              "been in the row's sum, and if padding holds infinity or NaN, so does the whole row. "
              "Replace d_weights before.",
              by_d_scores([](const Parts& at) -> Matrix {
                  return xt::where(at.mask, right_softmax_backward(at.weights, at.d_weights()),
                                   0.0);
              }));

MISCONCEPTION(attention_backward, mask_inverted,
              "the mask is read the wrong way round: true means attend, and there the gradient was "
              "set to 0.",
              by_d_scores([](const Parts& at) {
                  const Matrix g = xt::where(at.mask, 0.0, at.d_weights());
                  return right_softmax_backward(at.weights, g);
              }));

MISCONCEPTION(
    attention_backward, blocked_is_minus_infinity,
    "blocked places of d_weights are set to −∞. That is for scores; a gradient is 0 where "
    "nothing may flow, and 0 · (−∞) is NaN.",
    by_d_scores([](const Parts& at) {
        const Matrix g =
            xt::where(at.mask, at.d_weights(), -std::numeric_limits<double>::infinity());
        return right_softmax_backward(at.weights, g);
    }));

MISCONCEPTION(attention_backward, weights_made_again_without_the_mask,
              "the weights are computed again from Q and K, and without the mask, so blocked keys "
              "have weight and get a gradient. The weights of the forward pass are an argument.",
              by_parts([](const Parts& at) {
                  Parts other = at;
                  other.weights = oracle::softmax_rows(oracle::scaled_scores(at.Q, at.K));
                  return other.right();
              }));

MISCONCEPTION(attention_backward, weights_made_again_without_the_scale,
              "the weights are computed again from Q and K, and without the division by √d_k. The "
              "weights of the forward pass are an argument.",
              by_parts([](const Parts& at) {
                  Parts other = at;
                  other.weights = oracle::masked_softmax(oracle::raw_scores(at.Q, at.K), at.mask);
                  return other.right();
              }));

MISCONCEPTION(attention_backward, mask_in_place_of_weights,
              "the mask stands where the weights belong: every key that is seen counts as 1. The "
              "softmax's way back and d_V need the weights themselves.",
              by_parts([](const Parts& at) {
                  Parts other = at;
                  other.weights = xt::where(at.mask, xt::ones_like(at.weights), 0.0);
                  return other.right();
              }));

// ---- the products

MISCONCEPTION(
    attention_backward, weights_not_transposed_in_d_V,
    "d_V is weights · d_output, which exists only where there are as many queries as "
    "keys. A value gathers from all queries that read it: weightsᵀ · d_output.",
    by_parts([](const Parts& at) {
        return AttentionGradients{at.right().d_Q, at.right().d_K, matmul(at.weights, at.d_output)};
    }));

MISCONCEPTION(
    attention_backward, V_not_transposed,
    "d_weights is d_output · V, which exists only on squares. output = weights · V, so it "
    "is d_output · Vᵀ.",
    by_d_scores([](const Parts& at) {
        return right_softmax_backward(at.weights, at.seen(matmul(at.d_output, at.V)));
    }));

MISCONCEPTION(attention_backward, d_scores_not_transposed,
              "d_K is d_scores · Q, which exists only where there are as many queries as keys. A "
              "key gathers from all queries that compare with it: d_scoresᵀ · Q.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_K = matmul(at.d_scores(), at.Q) / at.root();
                  return result;
              }));

MISCONCEPTION(
    attention_backward, d_Q_from_queries,
    "d_Q is made of the queries, d_scores · Q. A score is a product of two, and each gets "
    "the other: d_Q is d_scores · K.",
    by_parts([](const Parts& at) {
        AttentionGradients result = at.right();
        result.d_Q = matmul(at.d_scores(), at.Q) / at.root();
        return result;
    }));

MISCONCEPTION(attention_backward, d_K_from_keys,
              "d_K is made of the keys, d_scoresᵀ · K. A score is a product of two, and each gets "
              "the other: d_K is d_scoresᵀ · Q.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_K = matmul(transposed(at.d_scores()), at.K) / at.root();
                  return result;
              }));

MISCONCEPTION(attention_backward, d_Q_and_d_K_interchanged,
              "d_Q and d_K have changed places in the result. It is {d_Q, d_K, d_V}.",
              by_parts([](const Parts& at) {
                  const AttentionGradients right = at.right();
                  return AttentionGradients{right.d_K, right.d_Q, right.d_V};
              }));

MISCONCEPTION(attention_backward, d_K_and_d_V_interchanged,
              "d_K and d_V have changed places in the result. It is {d_Q, d_K, d_V}.",
              by_parts([](const Parts& at) {
                  const AttentionGradients right = at.right();
                  return AttentionGradients{right.d_Q, right.d_V, right.d_K};
              }));

MISCONCEPTION(attention_backward, d_V_from_d_scores,
              "d_V is made with d_scores, the gradient behind the softmax. The values are mixed "
              "with the weights: d_V is weightsᵀ · d_output.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_V = matmul(transposed(at.d_scores()), at.d_output);
                  return result;
              }));

MISCONCEPTION(attention_backward, d_V_without_weights,
              "every value gets the whole of d_output, without the weights. A value that a query "
              "hardly reads gets hardly anything from it: weightsᵀ · d_output.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  const Matrix ones = xt::where(at.mask, xt::ones_like(at.weights), 0.0);
                  result.d_V = matmul(transposed(ones), at.d_output);
                  return result;
              }));

MISCONCEPTION(attention_backward, d_V_zero,
              "d_V is all 0. The values learn too: weightsᵀ · d_output.",
              by_parts([](const Parts& at) {
                  return AttentionGradients{at.right().d_Q, at.right().d_K, zeros_like(at.V)};
              }));

MISCONCEPTION(attention_backward, d_K_zero,
              "d_K is all 0. Keys learn as queries do: d_scoresᵀ · Q / √d_k.",
              by_parts([](const Parts& at) {
                  return AttentionGradients{at.right().d_Q, zeros_like(at.K), at.d_V()};
              }));

MISCONCEPTION(attention_backward, d_Q_zero,
              "d_Q is all 0. Queries learn as keys do: d_scores · K / √d_k.",
              by_parts([](const Parts& at) {
                  return AttentionGradients{zeros_like(at.Q), at.right().d_K, at.d_V()};
              }));

MISCONCEPTION(attention_backward, attention_negated,
              "every sign is the wrong way round. A gradient says where the loss rises; the minus "
              "of descent comes later, in the step.",
              by_parts([](const Parts& at) {
                  const AttentionGradients right = at.right();
                  return AttentionGradients{-right.d_Q, -right.d_K, -right.d_V};
              }));

MISCONCEPTION(
    attention_backward, averaged_over_queries,
    "d_K and d_V are divided by the number of queries. Every query adds its share, and no "
    "mean is taken: if the loss is a mean, d_output has that factor already.",
    by_parts([](const Parts& at) {
        AttentionGradients result = at.right();
        result.d_K /= size(at.Q, 0);
        result.d_V /= size(at.Q, 0);
        return result;
    }));

MISCONCEPTION(attention_backward, last_query_left_out,
              "the last query is missing: the loop over the queries ends one too early.",
              by_parts([](const Parts& at) {
                  Matrix d_scores = at.d_scores() / at.root();
                  xt::view(d_scores, d_scores.shape(0) - 1, xt::all()) = 0;
                  Matrix weights = at.weights;
                  xt::view(weights, weights.shape(0) - 1, xt::all()) = 0;
                  return AttentionGradients{matmul(d_scores, at.K),
                                            matmul(transposed(d_scores), at.Q),
                                            matmul(transposed(weights), at.d_output)};
              }));

MISCONCEPTION(attention_backward, last_query_alone_in_d_K_and_d_V,
              "d_K and d_V hold what the last query sent back: = where += is meant. A key and its "
              "value gather from all queries.",
              by_parts([](const Parts& at) {
                  const std::size_t last = at.Q.shape(0) - 1;
                  Matrix d_scores = at.d_scores() / at.root(), weights = at.weights;
                  xt::view(d_scores, xt::range(0, last), xt::all()) = 0;
                  xt::view(weights, xt::range(0, last), xt::all()) = 0;
                  return AttentionGradients{at.right().d_Q, matmul(transposed(d_scores), at.Q),
                                            matmul(transposed(weights), at.d_output)};
              }));

} // namespace
