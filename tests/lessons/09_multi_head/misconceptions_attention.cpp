// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "attention/product.hpp"
#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 09.2 multi_head_attention: what the scores are divided by, and how heads are cut and joined

#define WRONG_PARTS(name, explanation, ...)                                                        \
    MISCONCEPTION(multi_head_attention, name, explanation, Mechanism{__VA_ARGS__})

WRONG_PARTS(
    not_scaled,
    "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, where 1 / 2 "
    "is 0.",
    .divisor = [](auto&) { return 1.0; });

WRONG_PARTS(
    root_of_all_columns,
    "the scores are divided by the root of all columns of W_q, n_heads · d_k. A score sums "
    "over one head: √d_k, with d_k = columns / n_heads.",
    .divisor = [](auto& size) { return root(size.n_heads * size.d_k); });

WRONG_PARTS(
    root_of_d_model,
    "the scores are divided by √d_model. A score sums the d_k products of one head: √d_k.",
    .divisor = [](auto& size) { return root(size.d_model); });

WRONG_PARTS(
    root_of_n_heads, "the scores are divided by √n_heads. A score sums d_k products: √d_k.",
    .divisor = [](auto& size) { return root(size.n_heads); });

WRONG_PARTS(
    root_of_n,
    "the scores are divided by √n. A score sums d_k products, however many positions there "
    "are: √d_k.",
    .divisor = [](auto& size) { return root(size.n); });

WRONG_PARTS(
    root_of_d_v,
    "the scores are divided by √d_v. Values take no part in a score: it sums d_k products.",
    .divisor = [](auto& size) { return root(size.d_v); });

WRONG_PARTS(
    root_of_one_more, "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
    .divisor = [](auto& size) { return root(size.d_k + 1); });

WRONG_PARTS(
    scaled_twice,
    "the scores are divided by d_k, or twice by its root. The library's functions divide "
    "already.",
    .divisor = [](auto& size) { return real(size.d_k); });

WRONG_PARTS(
    multiplied_by_the_root, "the scores are multiplied by √d_k. They have to be divided.",
    .divisor = [](auto& size) { return 1 / root(size.d_k); });

MISCONCEPTION(
    multi_head_attention, values_from_the_columns_of_keys,
    "the values of head h are cut from column h · d_k on, as queries and keys are. A value "
    "has d_v components: h · d_v.",
    [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v, const Matrix& W_o,
       std::size_t n_heads, const OptionalMask& mask) {
        const std::size_t d_k = W_k.shape(1) / n_heads;
        Mechanism wrong;
        wrong.split_values = [=](const Matrix& all, std::size_t heads) {
            Heads cut;
            for (std::size_t h = 0; h < heads; ++h) {
                cut.push_back(matrix_of(all.shape(0), all.shape(1) / heads,
                                        [&](auto i, auto c) { return all.at(i, h * d_k + c); }));
            }
            return cut;
        };
        return wrong(X, W_q, W_k, W_v, W_o, n_heads, mask);
    });

/// Head h: its part of X's columns times its part of W's rows and columns.
Heads products_of_parts(const Matrix& X, const Matrix& W, std::size_t n_heads) {
    const std::size_t rows = X.shape(1) / n_heads, d = W.shape(1) / n_heads;
    Heads products = plain::unstacked(lesson::split_heads(X, n_heads)); // or it throws
    for (std::size_t h = 0; h < n_heads; ++h) {
        const Matrix part =
            matrix_of(rows, d, [&](auto r, auto c) { return W(h * rows + r, h * d + c); });
        products[h] = oracle::matmul(products[h], part);
    }
    return products;
}

MISCONCEPTION(
    multi_head_attention, sequence_split,
    "the columns of X are split, and each head multiplies its part of them with a block of W_q, "
    "W_k and W_v: the rest of the matrices is never used. Each head sees all of X. Multiply first, "
    "X · W_q, and split the columns of that.",
    [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v, const Matrix& W_o,
       std::size_t n_heads, const OptionalMask& mask) {
        lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
        Mechanism wrong;
        wrong.split_queries = [&](auto&, auto heads) { return products_of_parts(X, W_q, heads); };
        wrong.split_keys = [&](auto&, auto heads) { return products_of_parts(X, W_k, heads); };
        wrong.split_values = [&](auto&, auto heads) { return products_of_parts(X, W_v, heads); };
        return wrong(X, W_q, W_k, W_v, W_o, n_heads, mask);
    });

WRONG_PARTS(all_reshaped,
            "queries, keys and values are split by a reshape without a transpose: head 0 holds the "
            "first positions, whole. Cut columns: head h has columns h · d … of every row.",
            .split_queries = reshaped, .split_keys = reshaped, .split_values = reshaped);

WRONG_PARTS(all_reshaped_there_and_back,
            "heads are split and merged by a reshape without a transpose, so each head holds some "
            "of the positions and all columns. Every head sees every position, in columns of its "
            "own.",
            .split_queries = reshaped, .split_keys = reshaped, .split_values = reshaped,
            .merge_outputs = merged_by_reshape);

WRONG_PARTS(outputs_merged_by_reshape,
            "weights and heads are right, but the outputs are merged by a reshape without a "
            "transpose: (n_heads, n, d_v) is not in the order of (n, n_heads · d_v).",
            .merge_outputs = merged_by_reshape);

WRONG_PARTS(all_interleaved,
            "the heads are interleaved: each takes every n_heads-th column. Its columns lie "
            "together, and W_q, W_k and W_v were learned for that.",
            .split_queries = interleaved, .split_keys = interleaved, .split_values = interleaved);

WRONG_PARTS(all_interleaved_there_and_back,
            "the heads are interleaved, when split and when merged: each takes every n_heads-th "
            "column. Its columns lie together, and the weights were learned for that.",
            .split_queries = interleaved, .split_keys = interleaved, .split_values = interleaved,
            .merge_outputs = wrong::merged_interleaved);

WRONG_PARTS(outputs_merged_interleaved,
            "weights and heads are right, but the outputs are merged interleaved. The columns of a "
            "head stay together: h · d_v + c.",
            .merge_outputs = wrong::merged_interleaved);

WRONG_PARTS(outputs_merged_in_reverse,
            "the outputs are merged in reverse order: head 0 comes first.",
            .merge_outputs = merged_reversed);

WRONG_PARTS(values_reversed,
            "head h mixes the values of another head: those of the last for the first.",
            .split_values = reversed);

WRONG_PARTS(values_interleaved,
            "the values are split interleaved, queries and keys are not. All three are cut alike.",
            .split_values = interleaved);

WRONG_PARTS(values_reshaped,
            "the values are split by a reshape without a transpose. All three are cut alike.",
            .split_values = reshaped);

WRONG_PARTS(queries_of_head_0,
            "every head asks with the queries of head 0: an index h is missing at Q.",
            .split_queries = first_for_all);

WRONG_PARTS(keys_of_head_0,
            "every head compares with the keys of head 0: an index h is missing at K.",
            .split_keys = first_for_all);

WRONG_PARTS(values_of_head_0, "every head mixes the values of head 0: an index h is missing at V.",
            .split_values = first_for_all);

WRONG_PARTS(keys_and_values_of_head_0,
            "all heads share the keys and values of head 0. That is multi-query attention (09.4); "
            "here each head has its own.",
            .split_keys = first_for_all, .split_values = first_for_all);

WRONG_PARTS(everything_of_head_0, "every head is head 0: the index h does not get into the loop.",
            .split_queries = first_for_all, .split_keys = first_for_all,
            .split_values = first_for_all);

WRONG_PARTS(everything_of_the_last_head,
            "every head is the last one. Look what is kept from one round of the loop to the next.",
            .split_queries = last_for_all, .split_keys = last_for_all,
            .split_values = last_for_all);

WRONG_PARTS(
    weights_of_head_0, "the values of every head are mixed with the weights of head 0.",
    .change = [](auto& weights) { weights = Heads(weights.size(), weights.front()); });

WRONG_PARTS(
    weights_averaged,
    "the weights are averaged over the heads, and all heads mix with the mean. Each has its "
    "own weights; that is what several heads are for.",
    .change = [](auto& weights) {
        weights = Heads(weights.size(), sum_of(weights) / real(weights.size()));
    });

WRONG_PARTS(
    softmax_over_heads,
    "the softmax runs over the heads, the wrong axis: at each place the weights of all heads "
    "sum to 1. In each head, each row sums to 1.",
    .weigh = [](auto& scores, auto& mask) { return filled(scores, mask, -infinity); },
    .change =
        [](auto& weights) {
            Matrix maximum = weights[0];
            for (auto& each : weights) {
                maximum = xt::maximum(maximum, each);
            }
            for (auto& each : weights) {
                each = matrix_of(each.shape(0), each.shape(1), [&](auto i, auto j) {
                    return each(i, j) == -infinity ? 0.0 : std::exp(each(i, j) - maximum(i, j));
                });
            }
            const Matrix sum = sum_of(weights);
            for (auto& each : weights) {
                each = matrix_of(each.shape(0), each.shape(1), [&](auto i, auto j) {
                    return sum(i, j) == 0 ? 0.0 : each(i, j) / sum(i, j);
                });
            }
        });

WRONG_PARTS(
    first_head_only,
    "only head 0 is computed, the others are 0. Look where the loop over the heads ends, or "
    "whether it returns too early.",
    .change = [](auto& weights) {
        for (std::size_t h = 1; h < weights.size(); ++h) {
            weights[h] *= 0;
        }
    });

WRONG_PARTS(
    last_head_left_out, "the last head is 0: the loop over the heads ends one too early.",
    .change = [](auto& weights) { weights.back() *= 0; });

WRONG_PARTS(
    heads_divided_by_n_heads,
    "the output is divided by n_heads. The heads stand side by side, and W_o adds them up "
    "as it has learned to.",
    .merge_outputs = [](auto& heads) -> Matrix {
        return plain::merge(heads) / real(heads.size());
    });

WRONG_PARTS(
    heads_summed_for_all,
    "in the place of every head stands the sum of all of them. Each stands there by itself.",
    .merge_outputs = [](auto& heads) { return plain::merge(Heads(heads.size(), sum_of(heads))); });

WRONG_PARTS(
    heads_averaged_for_all,
    "in the place of every head stands their mean. Each stands there by itself.",
    .merge_outputs = [](auto& heads) {
        return plain::merge(Heads(heads.size(), sum_of(heads) / real(heads.size())));
    });

WRONG_PARTS(
    outputs_summed,
    "the outputs of the heads are added up, and meet the first d_v rows of W_o alone. They "
    "stand side by side: head h meets the rows h · d_v … h · d_v + d_v − 1 of W_o.",
    .merge_outputs = sum_of, .finish = [](auto& merged, auto& W_o) {
        return oracle::matmul(merged, first_rows(W_o, merged.shape(1)));
    });

WRONG_PARTS(
    outputs_averaged,
    "this is the mean of the heads' outputs, multiplied by the first d_v rows of W_o. They "
    "stand side by side, and each meets its own rows of W_o.",
    .merge_outputs = [](auto& heads) -> Matrix { return sum_of(heads) / real(heads.size()); },
    .finish = [](auto& merged,
                 auto& W_o) { return oracle::matmul(merged, first_rows(W_o, merged.shape(1))); });

WRONG_PARTS(
    without_w_o,
    "the heads are merged and returned: the multiplication by W_o is missing. Without it "
    "no component of the output would know more than one head.",
    .finish = [](auto& merged, auto&) { return merged; });

WRONG_PARTS(
    w_o_transposed,
    "the merged heads are multiplied by W_oᵀ. W_o is (n_heads · d_v, d_out) as it is.",
    .finish = [](auto& merged, auto& W_o) {
        return attention::matmul(merged, transposed(W_o)); // fails where it does not fit
    });

WRONG_PARTS(
    divided_by_n_heads, "the scores are divided by n_heads. A score sums d_k products: √d_k.",
    .divisor = [](auto& size) { return real(size.n_heads); });

WRONG_PARTS(queries_reversed,
            "the queries of one head meet the keys of another: those of the last head come first.",
            .split_queries = reversed);

WRONG_PARTS(
    keys_reversed,
    "the queries of one head meet the keys of another: the keys of the last head come first.",
    .split_keys = reversed);

WRONG_PARTS(queries_interleaved,
            "the queries are split interleaved, keys and values are not. All three are cut alike.",
            .split_queries = interleaved);

WRONG_PARTS(keys_interleaved,
            "the keys are split interleaved, queries and values are not. All three are cut alike.",
            .split_keys = interleaved);

WRONG_PARTS(queries_reshaped,
            "the queries are split by a reshape without a transpose. All three are cut alike.",
            .split_queries = reshaped);

WRONG_PARTS(keys_reshaped,
            "the keys are split by a reshape without a transpose. All three are cut alike.",
            .split_keys = reshaped);

WRONG_PARTS(keys_and_queries_reshaped,
            "queries and keys are split by a reshape without a transpose. All three are cut alike.",
            .split_queries = reshaped, .split_keys = reshaped);

WRONG_PARTS(
    last_head_alone,
    "each head's product with its rows of W_o takes the place of the one before: = where += is "
    "meant. The output is their sum.",
    .merge_outputs = [](auto& heads) {
        Heads last;
        for (const Matrix& head : heads) {
            last.push_back(0.0 * head);
        }
        last.back() = heads.back();
        return plain::merge(last);
    });

} // namespace
