// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 09.2 multi_head_attention: mask, softmax, mixture, and what is projected

#define WRONG_PARTS(name, explanation, ...)                                                        \
    MISCONCEPTION(multi_head_attention, name, explanation, Mechanism{__VA_ARGS__})

WRONG_PARTS(
    mask_ignored, "the mask has no effect: every position sees every other.",
    .weigh = [](auto& scores, auto&) { return oracle::softmax_rows(scores); });

WRONG_PARTS(
    mask_for_head_0_only, "the mask is applied to head 0 alone. It holds for all heads.",
    .mask_of = [](auto& mask, auto h) {
        return h == 0 ? mask : plain::all_allowed(mask.shape(0));
    });

WRONG_PARTS(
    mask_inverted, "the mask is read the wrong way round: in this course true means attend.",
    .mask_of = [](auto& mask, auto) -> Mask { return xt::all(mask) ? mask : Mask(!mask); });

WRONG_PARTS(
    mask_transposed, "the mask is transposed: mask(i, j) says whether query i may attend to key j.",
    .mask_of = [](auto& mask, auto) -> Mask { return xt::transpose(mask); });

WRONG_PARTS(
    always_causal, "this is causal, whatever the mask says. The caller decides who may see whom.",
    .mask_of = [](auto& mask, auto) -> Mask {
        Mask causal = mask;
        for (std::size_t i = 0; i < mask.shape(0); ++i) {
            for (std::size_t j = 0; j < mask.shape(1); ++j) {
                causal(i, j) = j <= i;
            }
        }
        return causal;
    });

WRONG_PARTS(
    masked_after_the_softmax,
    "blocked weights are set to 0 after the softmax, so the rows do not sum to 1 any more. "
    "The scores are what has to be blocked, before the softmax.",
    .weigh = [](auto& scores, auto& mask) {
        return filled(oracle::softmax_rows(scores), mask, 0);
    });

WRONG_PARTS(
    zero_where_blocked,
    "a blocked score becomes 0, which is a score like any other: exp(0) is 1. It has to be "
    "−∞.",
    .weigh = [](auto& scores, auto& mask) {
        return oracle::softmax_rows(filled(scores, mask, 0));
    });

WRONG_PARTS(
    blocked_rows_are_nan,
    "a position that may see nothing gets NaN: −∞ − (−∞). Its weights are 0. "
    "attention::masked_softmax knows that case.",
    .weigh = [](auto& scores, auto& mask) {
        return oracle::softmax_rows(filled(scores, mask, -infinity));
    });

WRONG_PARTS(
    blocked_rows_share_equally,
    "a position that may see nothing shares out equally over all that is blocked, as where a "
    "finite number such as −1e9 stands in place of −∞. Its weights are 0.",
    .weigh = [](auto& scores, auto& mask) {
        return oracle::softmax_rows(filled(scores, mask, -1e30));
    });

WRONG_PARTS(
    blocked_rows_unmasked,
    "a position that may see nothing has the weights that it would have without a mask, as where a "
    "finite number such as −1e9 was added, which the maximum takes off again. Its weights are 0.",
    .weigh = [](auto& scores, auto& mask) {
        Matrix weights = oracle::masked_softmax(scores, mask);
        const Matrix unmasked = oracle::softmax_rows(scores);
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            if (xt::sum(xt::view(weights, i, xt::all()))() == 0) {
                xt::view(weights, i, xt::all()) = xt::view(unmasked, i, xt::all());
            }
        }
        return weights;
    });

WRONG_PARTS(
    softmax_over_queries,
    "the softmax runs over the queries: columns sum to 1 and rows do not. A row is one "
    "query's shares.",
    .weigh = [](auto& scores, auto& mask) -> Matrix {
        const Mask turned = xt::transpose(mask);
        return transposed(oracle::masked_softmax(transposed(scores), turned));
    });

WRONG_PARTS(
    softmax_over_everything,
    "the softmax runs over the whole matrix of a head. Each row by itself sums to 1.",
    .weigh = [](auto& scores, auto& mask) {
        return softmax_of_everything(filled(scores, mask, -1e30));
    });

WRONG_PARTS(
    no_softmax, "the values are mixed by the scores themselves: the softmax is missing.",
    .weigh = [](auto& scores, auto& mask) { return filled(scores, mask, 0); });

WRONG_PARTS(
    softmax_twice, "the softmax is taken twice. The library's attention functions take it already.",
    .weigh = [](auto& scores, auto& mask) {
        return oracle::masked_softmax(oracle::masked_softmax(scores, mask), mask);
    });

WRONG_PARTS(
    largest_only,
    "each query takes the value of its best key alone. The softmax gives each a share.",
    .weigh = [](auto& scores, auto& mask) { return hard(filled(scores, mask, -1e30)); });

WRONG_PARTS(
    no_maximum_subtracted,
    "right until a score is large: exp overflows, since the row's maximum is not "
    "subtracted. attention::softmax_rows does it.",
    .weigh = [](auto& scores, auto& mask) -> Matrix {
        const Matrix weights = softmax_unshifted(filled(scores, mask, -infinity));
        return matrix_of(weights.shape(0), weights.shape(1), [&](auto i, auto j) {
            bool blocked = true;
            for (std::size_t k = 0; k < mask.shape(1); ++k) {
                blocked = blocked && !mask(i, k);
            }
            return blocked ? 0.0 : weights(i, j);
        });
    });

WRONG_PARTS(
    maximum_from_0,
    "the search for the largest score begins at 0. Where all of a row are far below, every "
    "exponential is 0, and 0 / 0 is NaN. Begin at the first score that is not blocked, or at −∞.",
    .weigh = [](auto& scores, auto& mask) -> Matrix {
        const Matrix weights = softmax_from_0(filled(scores, mask, -infinity));
        return matrix_of(weights.shape(0), weights.shape(1), [&](auto i, auto j) {
            bool blocked = true;
            for (std::size_t k = 0; k < mask.shape(1); ++k) {
                blocked = blocked && !mask(i, k);
            }
            return blocked ? 0.0 : weights(i, j);
        });
    });

WRONG_PARTS(
    mixed_by_columns,
    "the values are mixed by the columns of the weights, weightsᵀ · V. The shares of query "
    "i stand in row i.",
    .mix = [](auto& weights, auto& V) { return oracle::matmul(transposed(weights), V); });

WRONG_PARTS(
    mixed_equally, "the weights are right and not used: every output is the mean of the values.",
    .mix = [](auto& weights, auto& V) -> Matrix {
        const Matrix equal =
            xt::ones<double>({weights.shape(0), weights.shape(1)}) / real(weights.shape(1));
        return oracle::matmul(equal, V);
    });

// ---- what is projected, and what is returned

using In = const Matrix&;

/// The right layer with other arguments; where they do not fit, it fails as the library would.
#define WRONG_ARGUMENTS(name, explanation, ...)                                                    \
    MISCONCEPTION(                                                                                 \
        multi_head_attention, name, explanation,                                                   \
        [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads, const OptionalMask& mask) {  \
            lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);                             \
            return Mechanism{}(__VA_ARGS__);                                                       \
        })

WRONG_ARGUMENTS(keys_by_w_q, "the keys are projected by W_q: W_k is never looked at.", X, W_q, W_q,
                W_v, W_o, n_heads, mask);
WRONG_ARGUMENTS(queries_by_w_k, "the queries are projected by W_k: W_q is never looked at.", X, W_k,
                W_k, W_v, W_o, n_heads, mask);
WRONG_ARGUMENTS(queries_and_keys_exchanged,
                "queries and keys have changed places: the queries are X · W_q, and rows of the "
                "scores.",
                X, W_k, W_q, W_v, W_o, n_heads, mask);
WRONG_ARGUMENTS(values_by_w_k, "the values are projected by W_k: W_v is never looked at.", X, W_q,
                W_k, W_k, W_o, n_heads, mask);
WRONG_ARGUMENTS(values_by_w_q, "the values are projected by W_q: W_v is never looked at.", X, W_q,
                W_k, W_q, W_o, n_heads, mask);
WRONG_ARGUMENTS(keys_and_values_exchanged,
                "K and V have changed places: queries are compared with X · W_k, and X · W_v is "
                "what is mixed.",
                X, W_q, W_v, W_k, W_o, n_heads, mask);
WRONG_ARGUMENTS(weights_transposed,
                "X is multiplied by the transposes of W_q, W_k and W_v. They are (d_model, …) as "
                "they are: PyTorch's nn.Linear keeps them the other way round.",
                X, transposed(W_q), transposed(W_k), transposed(W_v), W_o, n_heads, mask);

MISCONCEPTION(multi_head_attention, one_wide_head,
              "n_heads is not used: this is one head as wide as all columns, with one matrix of "
              "weights.",
              [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
                 const OptionalMask& mask) {
                  lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                  return Mechanism{}(X, W_q, W_k, W_v, W_o, 1, mask);
              });

/// The right answer, spoilt.
#define SPOILT(name, explanation, ...)                                                             \
    MISCONCEPTION(                                                                                 \
        multi_head_attention, name, explanation,                                                   \
        [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads, const OptionalMask& mask) {  \
            auto right = Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask);                        \
            __VA_ARGS__                                                                            \
            return right;                                                                          \
        });

SPOILT(weights_without_the_mask,
       "the output is right, but the weights beside it are those before masking. Return the ones "
       "that made the output.",
       right.weights = Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, {}).weights;)

SPOILT(output_without_the_mask,
       "the weights are masked, but the output was made with weights that were not.",
       right.output = Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, {}).output;)

SPOILT(
    mean_of_the_weights_returned,
    "the output is right, but the mean of the heads' weights stands in the place of each. Return "
    "each head's own.",
    const Heads weights = plain::unstacked(right.weights);
    right.weights = plain::stacked(Heads(n_heads, sum_of(weights) / real(n_heads)));)

SPOILT(weights_of_head_0_returned,
       "the output is right, but the weights of head 0 stand in the place of each. Return each "
       "head's own.",
       right.weights = plain::stacked(Heads(n_heads, plain::unstacked(right.weights).front()));)

SPOILT(
    weights_transposed_in_the_result,
    "the output is right, but each head's weights are returned transposed. Rows are queries.",
    Heads weights = plain::unstacked(right.weights);
    for (Matrix & each
         : weights) { each = transposed(each); } right.weights = plain::stacked(weights);)

SPOILT(scores_returned_for_weights,
       "the output is right, but the scores are returned in the place of the weights.",
       right.weights = Mechanism{.weigh = [](auto& scores, auto&) { return scores; }}(X, W_q, W_k,
                                                                                      W_v, W_o,
                                                                                      n_heads, mask)
                           .weights;)

SPOILT(weights_left_empty, "the output is right, but weights is not filled: it has no elements.",
       right.weights = Tensor3();)

SPOILT(weights_all_zero, "the output is right, but the weights are 0: they are never written.",
       right.weights *= 0;)

SPOILT(
    x_added,
    "where its shape is that of X, X is added to the output. A Transformer does so around the "
    "layer; the layer itself returns the merged heads times W_o.",
    if (right.output.shape() == X.shape()) { right.output += X; })

SPOILT(weights_divided_by_n_heads,
       "the output is right, but the weights that are returned are divided by n_heads. Each head's "
       "rows sum to 1.",
       right.weights /= real(n_heads);)

SPOILT(
    outputs_returned_for_weights,
    "the output is right, but the heads' outputs are returned in the place of their weights.",
    Heads outputs = plain::unstacked(right.weights);
    const Heads values = plain::split(oracle::matmul(X, W_v), n_heads);
    for (std::size_t h = 0; h < n_heads; ++h) {
        outputs[h] = oracle::matmul(outputs[h], values[h]);
    } right.weights = plain::stacked(outputs);)

SPOILT(mixed_by_the_scores, "the weights are right, but the values are mixed by the scores.",
       right.output = Mechanism{.weigh = [](auto& scores, auto&) { return scores; }}(X, W_q, W_k,
                                                                                     W_v, W_o,
                                                                                     n_heads, mask)
                          .output;)

WRONG_ARGUMENTS(one_wide_head_unmasked,
                "n_heads is not used, nor is the mask: this is one head as wide as all columns.", X,
                W_q, W_k, W_v, W_o, 1, OptionalMask());

SPOILT(one_wide_head_for_all,
       "all heads have the weights of one head as wide as all columns: the scores are made before "
       "the heads are split.",
       right = Mechanism{}(X, W_q, W_k, W_v, W_o, 1, {});
       right.weights = plain::stacked(Heads(n_heads, plain::unstacked(right.weights).front()));)

/// One head as wide as all columns, its weights repeated for each.
lesson::MultiHead wide_for_all(In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
                               const OptionalMask& mask, std::size_t d_k) {
    Mechanism wide;
    wide.divisor = [=](auto&) { return root(d_k); };
    lesson::MultiHead result = wide(X, W_q, W_k, W_v, W_o, 1, mask);
    result.weights = plain::stacked(Heads(n_heads, plain::unstacked(result.weights).front()));
    return result;
}

SPOILT(one_wide_head_for_all_masked,
       "all heads have the weights of one head as wide as all columns. Each head has scores of "
       "its own, made of its own columns: split before the scores.",
       right = wide_for_all(X, W_q, W_k, W_v, W_o, n_heads, mask, W_q.shape(1));)

SPOILT(one_wide_head_by_a_heads_root,
       "all heads have the weights of one head as wide as all columns, divided by one head's "
       "√d_k. Each head has scores of its own, made of its own columns: split before the scores.",
       right = wide_for_all(X, W_q, W_k, W_v, W_o, n_heads, mask, W_q.shape(1) / n_heads);)

SPOILT(
    values_at_the_columns_of_the_keys,
    "the columns of V are counted by d_k: head h of the values starts at h · d_v, which may be "
    "another number than h · d_k.",
    Mechanism shifted;
    shifted.split_values =
        [&](In V, std::size_t) {
            const std::size_t d_k = W_q.shape(1) / n_heads, d_v = V.shape(1) / n_heads;
            Heads heads;
            for (std::size_t h = 0; h < n_heads; ++h) {
                heads.push_back(matrix_of(V.shape(0), d_v, [&](auto i, auto c) {
                    return V(i, std::min(h * d_k + c, V.shape(1) - 1));
                }));
            }
            return heads;
        };
    right = shifted(X, W_q, W_k, W_v, W_o, n_heads, mask);)

SPOILT(output_transposed, "the output is transposed. A row is a position.",
       right.output = transposed(right.output);)

SPOILT(last_position_left_out,
       "the output of the last position is 0: a loop over the positions ends one too early.",
       xt::view(right.output, X.shape(0) - 1, xt::all()) = 0;)

SPOILT(first_position_only,
       "only the first position has an output, the others are 0. Look where the loop over the "
       "positions ends.",
       xt::view(right.output, xt::range(1, X.shape(0)), xt::all()) = 0;)

WRONG_PARTS(
    renormalised_after_the_softmax,
    "blocked weights are set to 0 after the softmax and the rows divided by what is left: right "
    "until nothing is left, and 0 / 0 is NaN. Block the scores, before the softmax.",
    .weigh = [](auto& scores, auto& mask) -> Matrix {
        const Matrix left = filled(oracle::softmax_rows(scores), mask, 0);
        const Matrix sums = xt::sum(left, {1}, xt::keep_dims);
        return left / sums;
    });

WRONG_PARTS(
    softmax_over_queries_unmasked,
    "the softmax runs over the queries, and the mask has no effect. A row is one query's shares.",
    .weigh = [](auto& scores, auto&) { return softmax_of_columns(scores); });

WRONG_PARTS(
    mask_added_as_numbers,
    "the mask is added to the scores as 0 and 1, so that what it allows is a little larger. What "
    "it blocks has to become −∞.",
    .weigh = [](auto& scores, auto& mask) {
        return oracle::softmax_rows(Matrix(scores + xt::cast<double>(mask)));
    });

WRONG_PARTS(
    mask_for_the_last_head_only, "the mask has an effect in some heads only. It holds for all.",
    .mask_of = [](auto& mask, auto h) { return h > 0 ? mask : plain::all_allowed(mask.shape(0)); });

SPOILT(
    all_in_place_0,
    "every head is written to the place of head 0, over the one before; the other places are 0.",
    Heads weights = plain::unstacked(right.weights);
    const Heads values = plain::split(oracle::matmul(X, W_v), n_heads);
    Heads outputs(n_heads, Matrix(0.0 * values[0]));
    outputs[0] = oracle::matmul(weights.back(), values.back()); weights[0] = weights.back();
    for (std::size_t h = 1; h < n_heads;
         ++h) { weights[h] *= 0; } right.weights = plain::stacked(weights);
    right.output = oracle::matmul(plain::merge(outputs), W_o);)

WRONG_PARTS(
    unshifted_and_zero_by_zero,
    "no maximum is subtracted, so large scores become inf / inf; and a position that may see "
    "nothing gets 0 / 0. Its weights are 0. attention::masked_softmax knows both.",
    .weigh = [](auto& scores, auto& mask) {
        return softmax_unshifted(filled(scores, mask, -infinity));
    });

} // namespace
