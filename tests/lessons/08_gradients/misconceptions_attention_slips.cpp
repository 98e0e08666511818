// More wrong versions of 08.3: slips of scales, sums and places.

#include "wrong.hpp"

namespace misconceptions_attention_slips {

using namespace wrong;

namespace {

double size(const Matrix& X, std::size_t axis) {
    return static_cast<double>(X.shape(axis));
}

/// One factor for each gradient.
auto times(std::function<double(const Parts&)> q, std::function<double(const Parts&)> k,
           std::function<double(const Parts&)> v) {
    return by_parts([=](const Parts& at) {
        const AttentionGradients right = at.right();
        return AttentionGradients{right.d_Q * q(at), right.d_K * k(at), right.d_V * v(at)};
    });
}

double one(const Parts&) {
    return 1;
}
double minus_one(const Parts&) {
    return -1;
}
double root(const Parts& at) {
    return at.root();
}
double by_root(const Parts& at) {
    return 1 / at.root();
}
double by_queries(const Parts& at) {
    return 1 / size(at.Q, 0);
}
double by_keys(const Parts& at) {
    return 1 / size(at.K, 0);
}

MISCONCEPTION(attention_backward, d_K_scaled_twice,
              "d_K is divided by √d_k twice: once at the scores, and once more. Once is enough.",
              times(one, by_root, one));

MISCONCEPTION(attention_backward, d_Q_scaled_twice,
              "d_Q is divided by √d_k twice: once at the scores, and once more. Once is enough.",
              times(by_root, one, one));

MISCONCEPTION(
    attention_backward, d_V_scaled_up,
    "d_V is multiplied by √d_k. The values do not go through the scores: d_V is weightsᵀ · "
    "d_output.",
    times(one, one, root));

MISCONCEPTION(attention_backward, everything_averaged_over_queries,
              "all three gradients are divided by the number of queries. No mean is taken here: if "
              "the loss is a mean, d_output has that factor already.",
              times(by_queries, by_queries, by_queries));

MISCONCEPTION(attention_backward, averaged_over_keys,
              "d_K and d_V are divided by the number of keys. No mean is taken here.",
              times(one, by_keys, by_keys));

MISCONCEPTION(attention_backward, d_Q_negated,
              "d_Q has the wrong sign; d_K and d_V have the right one.",
              times(minus_one, one, one));

MISCONCEPTION(attention_backward, d_K_negated,
              "d_K has the wrong sign; d_Q and d_V have the right one.",
              times(one, minus_one, one));

MISCONCEPTION(attention_backward, d_Q_and_d_K_negated,
              "d_Q and d_K have the wrong sign. What goes through the softmax is p ∘ (g − Σ p g), "
              "not p ∘ (Σ p g − g).",
              times(minus_one, minus_one, one));

MISCONCEPTION(attention_backward, d_V_negated,
              "d_V has the wrong sign; d_Q and d_K have the right one.",
              times(one, one, minus_one));

MISCONCEPTION(attention_backward, everything_zero,
              "all three gradients are 0: what is computed never reaches the result.",
              by_parts([](const Parts& at) {
                  return AttentionGradients{zeros_like(at.Q), zeros_like(at.K), zeros_like(at.V)};
              }));

MISCONCEPTION(
    attention_backward, d_V_the_mean_of_d_output,
    "every value gets the mean of d_output over the queries, as if all weights were equal. "
    "It is weightsᵀ · d_output.",
    by_parts([](const Parts& at) {
        AttentionGradients result = at.right();
        const Vector mean = xt::mean(at.d_output, {0});
        result.d_V = zeros_like(at.V) + mean;
        return result;
    }));

MISCONCEPTION(attention_backward, d_V_with_weights_made_without_the_mask,
              "for d_V the weights are computed again, and without the mask, so blocked keys have "
              "weight. The weights of the forward pass are an argument.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  const Matrix weights = oracle::softmax_rows(oracle::scaled_scores(at.Q, at.K));
                  result.d_V = matmul(transposed(weights), at.d_output);
                  return result;
              }));

MISCONCEPTION(attention_backward, through_the_softmax_twice,
              "the gradient goes through the softmax twice on its way back. There is one softmax "
              "between weights and scores.",
              by_d_scores([](const Parts& at) {
                  return right_softmax_backward(at.weights, at.d_scores());
              }));

MISCONCEPTION(attention_backward, forward_softmax_on_the_way_back,
              "softmax itself is applied to d_weights. On the way back it is its Jacobian: "
              "softmax_backward(weights, d_weights).",
              by_d_scores([](const Parts& at) {
                  return oracle::softmax_rows(at.seen(at.d_weights()));
              }));

MISCONCEPTION(attention_backward, one_softmax_sum_for_all,
              "on the way through the softmax one sum over the whole matrix is subtracted. Each "
              "query has its own.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const double sum = xt::sum(at.weights * g)();
                  return at.weights * (g - sum);
              }));

MISCONCEPTION(attention_backward, plain_mean_in_the_softmax,
              "on the way through the softmax the plain mean of g is subtracted. It is the mean "
              "weighted with p.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const Matrix means = xt::mean(g, {1}, xt::keep_dims);
                  return at.weights * (g - means);
              }));

MISCONCEPTION(attention_backward, plain_sum_in_the_softmax,
              "on the way through the softmax the plain sum of g is subtracted. Each g counts with "
              "its weight: Σ p g.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const Matrix sums = xt::sum(g, {1}, xt::keep_dims);
                  return at.weights * (g - sums);
              }));

MISCONCEPTION(attention_backward, sigmoid_without_the_gradient,
              "on the way through the softmax stands p (1 − p), without the gradient that came in. "
              "It is p ∘ (g − Σ p g).",
              by_d_scores([](const Parts& at) -> Matrix { return at.weights * (1 - at.weights); }));

MISCONCEPTION(attention_backward, weight_forgotten_in_the_softmax,
              "on the way through the softmax the weight in front is missing: g − Σ p g. A key "
              "without weight passes nothing on.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix g = at.seen(at.d_weights());
                  const Matrix sums = xt::sum(at.weights * g, {1}, xt::keep_dims);
                  return xt::where(at.mask, g - sums, 0.0);
              }));

MISCONCEPTION(
    attention_backward, weight_of_the_key_summed_over,
    "on the way through the softmax stands p g − Σ p² g: in the second term the weight of "
    "the key that is summed over stands twice, where one of the two is the weight of the "
    "key that the result is for: p_j g_j − p_j Σ p_k g_k.",
    by_d_scores([](const Parts& at) -> Matrix {
        const Matrix g = at.seen(at.d_weights());
        const Matrix sums = xt::sum(at.weights * at.weights * g, {1}, xt::keep_dims);
        return at.weights * g - sums;
    }));

MISCONCEPTION(attention_backward, last_key_left_out,
              "the last key gets no gradient: the loop over the keys ends one too early.",
              by_parts([](const Parts& at) {
                  Matrix d_scores = at.d_scores() / at.root(), weights = at.weights;
                  const std::size_t last = weights.shape(1) - 1;
                  xt::view(d_scores, xt::all(), last) = 0;
                  xt::view(weights, xt::all(), last) = 0;
                  return AttentionGradients{matmul(d_scores, at.K),
                                            matmul(transposed(d_scores), at.Q),
                                            matmul(transposed(weights), at.d_output)};
              }));

MISCONCEPTION(attention_backward, results_rotated,
              "the three results stand in another order: d_K, d_V, d_Q. It is {d_Q, d_K, d_V}.",
              by_parts([](const Parts& at) {
                  const AttentionGradients right = at.right();
                  return AttentionGradients{right.d_K, right.d_V, right.d_Q};
              }));

MISCONCEPTION(attention_backward, d_Q_and_d_V_interchanged,
              "d_Q and d_V have changed places in the result. It is {d_Q, d_K, d_V}.",
              by_parts([](const Parts& at) {
                  const AttentionGradients right = at.right();
                  return AttentionGradients{right.d_V, right.d_K, right.d_Q};
              }));

MISCONCEPTION(attention_backward, everything_doubled,
              "all three gradients are twice what they should be.",
              times([](const Parts&) { return 2.0; }, [](const Parts&) { return 2.0; },
                    [](const Parts&) { return 2.0; }));

MISCONCEPTION(attention_backward, d_Q_with_the_weights,
              "d_Q is weights · K, without the gradient that came in. It is d_scores · K.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_Q = matmul(at.weights, at.K) / at.root();
                  return result;
              }));

MISCONCEPTION(
    attention_backward, softmax_of_the_weights,
    "on the way through the softmax, softmax is applied to the weights once more. They are "
    "what a softmax has returned: use them as they are.",
    by_d_scores([](const Parts& at) {
        return right_softmax_backward(oracle::softmax_rows(at.weights), at.seen(at.d_weights()));
    }));

} // namespace

MISCONCEPTION(attention_backward, mask_of_query_0,
              "what query 0 may not see is blocked for every query: mask(0, j) where mask(i, j) is "
              "meant.",
              by_parts([](const Parts& at) {
                  Parts by_first = at;
                  Matrix weights = at.weights;
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      for (std::size_t j = 0; j < weights.shape(1); ++j) {
                          by_first.mask(i, j) = at.mask(0, j);
                          weights(i, j) = at.mask(0, j) ? weights(i, j) : 0;
                      }
                  }
                  by_first.weights = weights;
                  return by_first.right();
              }));

MISCONCEPTION(attention_backward, row_sum_of_the_output,
              "the row's sum is d_output · output, with an output that is made once more as "
              "weights · V. At padding V may be infinite, and 0 · ∞ is NaN. Sum p g over what is "
              "seen.",
              by_d_scores([](const Parts& at) -> Matrix {
                  const Matrix sums =
                      xt::sum(at.d_output * matmul(at.weights, at.V), {1}, xt::keep_dims);
                  return at.weights * (at.seen(at.d_weights()) - sums);
              }));

} // namespace misconceptions_attention_slips
