// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;
using plain::GroupedMechanism;

namespace {

// ---- 09.4 grouped_query_attention

#define WRONG_GROUPS(name, explanation, ...)                                                       \
    MISCONCEPTION(grouped_query_attention, name, explanation, GroupedMechanism{__VA_ARGS__})

std::size_t by_remainder(std::size_t h, std::size_t, std::size_t n_kv_heads) {
    return h % n_kv_heads;
}
std::size_t always_first(std::size_t, std::size_t, std::size_t) {
    return 0;
}
std::size_t always_last(std::size_t, std::size_t, std::size_t n_kv_heads) {
    return n_kv_heads - 1;
}

WRONG_GROUPS(taken_in_turns,
             "the heads of queries take the heads of keys in turns, h % n_kv_heads. Neighbours "
             "share: the first n_heads / n_kv_heads all use head 0, so it is h / (n_heads / "
             "n_kv_heads).",
             .key_of = by_remainder, .value_of = by_remainder);

WRONG_GROUPS(
    one_for_all,
    "all heads of queries use head 0 of the keys and values. That is multi-query attention, "
    "n_kv_heads = 1; here each group has a head of its own.",
    .key_of = always_first, .value_of = always_first);

WRONG_GROUPS(last_for_every_group, "all heads of queries use the last head of keys and values.",
             .key_of = always_last, .value_of = always_last);

WRONG_GROUPS(keys_in_turns_values_in_groups,
             "the values are shared in groups, the keys in turns, h % n_kv_heads. A head of values "
             "goes with its head of keys.",
             .key_of = by_remainder);

WRONG_GROUPS(values_in_turns_keys_in_groups,
             "the keys are shared in groups, the values in turns, h % n_kv_heads. A head of values "
             "goes with its head of keys.",
             .value_of = by_remainder);

WRONG_GROUPS(values_of_head_0, "the keys are right, but every group mixes the values of head 0.",
             .value_of = always_first);

WRONG_GROUPS(keys_of_head_0,
             "the values are right, but every group compares with the keys of head "
             "0.",
             .key_of = always_first);

std::size_t by_place_in_the_group(std::size_t h, std::size_t n_heads, std::size_t n_kv_heads) {
    return h % (n_heads / n_kv_heads) % n_kv_heads;
}

WRONG_GROUPS(place_in_the_group,
             "the head of keys and values is what is left of h after whole groups, h % (n_heads / "
             "n_kv_heads): its place in the group. The group itself is h divided by that.",
             .key_of = by_place_in_the_group, .value_of = by_place_in_the_group);

std::size_t by_place_or_last(std::size_t h, std::size_t n_heads, std::size_t n_kv_heads) {
    return std::min(h % (n_heads / n_kv_heads), n_kv_heads - 1);
}

WRONG_GROUPS(place_in_the_group_or_last,
             "the head of keys and values is what is left of h after whole groups, h % (n_heads / "
             "n_kv_heads), and where there is none, the last one. The group is h divided by that.",
             .key_of = by_place_or_last, .value_of = by_place_or_last);

std::size_t from_the_end(std::size_t h, std::size_t n_heads, std::size_t n_kv_heads) {
    return n_kv_heads - 1 - h / (n_heads / n_kv_heads);
}
std::size_t by_n_kv_heads(std::size_t h, std::size_t, std::size_t n_kv_heads) {
    const std::size_t g = h / n_kv_heads;
    if (g >= n_kv_heads) {
        throw std::runtime_error("out of range");
    }
    return g;
}
std::size_t itself(std::size_t h, std::size_t, std::size_t n_kv_heads) {
    if (h >= n_kv_heads) {
        throw std::runtime_error("out of range");
    }
    return h;
}
std::size_t itself_or_last(std::size_t h, std::size_t, std::size_t n_kv_heads) {
    return std::min(h, n_kv_heads - 1);
}

WRONG_GROUPS(groups_in_reverse,
             "the first heads of queries use the last head of keys and values. They use head 0.",
             .key_of = from_the_end, .value_of = from_the_end);

WRONG_GROUPS(divided_by_n_kv_heads,
             "the head of keys is h / n_kv_heads. A group has n_heads / n_kv_heads heads of "
             "queries, and h is divided by that.",
             .key_of = by_n_kv_heads, .value_of = by_n_kv_heads);

WRONG_GROUPS(nothing_shared,
             "head h of the queries uses head h of the keys, which there are too few of. Several "
             "heads of queries share one: h / (n_heads / n_kv_heads).",
             .key_of = itself, .value_of = itself);

WRONG_GROUPS(the_rest_uses_the_last,
             "the first heads of queries use a head of keys each, and the rest the last one. They "
             "are shared evenly: h / (n_heads / n_kv_heads).",
             .key_of = itself_or_last, .value_of = itself_or_last);

WRONG_GROUPS(
    not_scaled, "the scores are not divided by √d_k, or by 1, as pow(d_k, 1 / 2) is.",
    .divisor = [](auto&, auto&, auto&) { return 1.0; });

WRONG_GROUPS(
    scaled_twice,
    "the scores are divided by d_k, or twice by its root. The library's functions divide "
    "already.",
    .divisor = [](auto&, auto&, auto& size) { return real(size.d_k); });

WRONG_GROUPS(
    multiplied_by_the_root, "the scores are multiplied by √d_k. They have to be divided.",
    .divisor = [](auto&, auto&, auto& size) { return 1 / root(size.d_k); });

WRONG_GROUPS(
    root_of_the_columns_of_q,
    "the scores are divided by the root of all columns of Q. A score sums the d_k products "
    "of one head: √d_k.",
    .divisor = [](auto& Q, auto&, auto&) { return root(Q.shape(1)); });

WRONG_GROUPS(
    root_of_the_columns_of_k,
    "the scores are divided by the root of all columns of K. A score sums the d_k products "
    "of one head: √d_k.",
    .divisor = [](auto&, auto& K, auto&) { return root(K.shape(1)); });

WRONG_GROUPS(
    root_of_d_v, "the scores are divided by √d_v. Values take no part in a score: √d_k.",
    .divisor = [](auto&, auto&, auto& size) { return root(size.d_v); });

WRONG_GROUPS(
    root_of_one_more, "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
    .divisor = [](auto&, auto&, auto& size) { return root(size.d_k + 1); });

WRONG_GROUPS(
    root_of_n_heads, "the scores are divided by √n_heads. A score sums d_k products: √d_k.",
    .divisor = [](auto&, auto&, auto& size) { return root(size.n_heads); });

WRONG_GROUPS(
    root_of_n_keys, "the scores are divided by √n_keys. A score sums d_k products: √d_k.",
    .divisor = [](auto&, auto& K, auto&) { return root(K.shape(0)); });

WRONG_GROUPS(queries_interleaved,
             "the heads of Q are interleaved columns here. Each head's columns lie together: h · "
             "d_k + c.",
             .split_queries = interleaved);

WRONG_GROUPS(
    all_interleaved,
    "the heads are interleaved columns here. Each head's columns lie together: h · d + c.",
    .split_queries = interleaved, .split_keys = interleaved, .split_values = interleaved,
    .merge_outputs = [](auto& heads, auto) { return merged_interleaved(heads); });

WRONG_GROUPS(all_interleaved_but_the_merge,
             "the heads of Q, K and V are interleaved columns here. Each head's columns lie "
             "together: h · d + c.",
             .split_queries = interleaved, .split_keys = interleaved, .split_values = interleaved);

WRONG_GROUPS(all_reshaped,
             "the heads are split by a reshape without a transpose: head 0 holds the first rows, "
             "whole. Cut columns: split_heads does it.",
             .split_queries = reshaped, .split_keys = reshaped, .split_values = reshaped);

WRONG_GROUPS(
    all_reshaped_there_and_back,
    "the heads are split and merged by a reshape without a transpose. Every head has all "
    "positions, in columns of its own: split_heads and merge_heads do it.",
    .split_queries = reshaped, .split_keys = reshaped, .split_values = reshaped,
    .merge_outputs = [](auto& heads, auto) { return merged_by_reshape(heads); });

WRONG_GROUPS(
    outputs_merged_by_reshape,
    "the heads are right, but merged by a reshape without a transpose: (n_heads, n, d_v) is "
    "not in the order of (n, n_heads · d_v).",
    .merge_outputs = [](auto& heads, auto) { return merged_by_reshape(heads); });

WRONG_GROUPS(
    outputs_interleaved,
    "the heads are right, but merged interleaved. The columns of a head stay together.",
    .merge_outputs = [](auto& heads, auto) { return merged_interleaved(heads); });

WRONG_GROUPS(
    outputs_in_reverse, "the heads are right, but merged in reverse order.",
    .merge_outputs = [](auto& heads, auto) { return merged_reversed(heads); });

/// The outputs of each group, in one by combine(group's heads).
template <class Combine>
auto a_group_each(Combine combine) {
    return [=](const Heads& heads, std::size_t n_kv_heads) {
        const std::size_t group = heads.size() / n_kv_heads;
        Heads combined;
        for (std::size_t g = 0; g < n_kv_heads; ++g) {
            const auto begin = heads.begin() + static_cast<std::ptrdiff_t>(g * group);
            combined.push_back(combine(Heads(begin, begin + static_cast<std::ptrdiff_t>(group))));
        }
        return plain::merge(combined);
    };
}

WRONG_GROUPS(groups_averaged,
             "the outputs of a group are averaged. Every head of queries has an output of its own: "
             "(n_queries, n_heads · d_v).",
             .merge_outputs = a_group_each([](const Heads& group) -> Matrix {
                 return sum_of(group) / real(group.size());
             }));

WRONG_GROUPS(groups_added_up,
             "the outputs of a group are added up. Every head of queries has an output of its own: "
             "(n_queries, n_heads · d_v).",
             .merge_outputs = a_group_each(sum_of));

WRONG_GROUPS(
    first_of_each_group,
    "only the first head of each group has an output. Every head of queries has one of its "
    "own: (n_queries, n_heads · d_v).",
    .merge_outputs = a_group_each([](const Heads& group) { return group.front(); }));

/// The queries of each group replaced by one, combine(group's heads).
template <class Combine>
auto queries_a_group(Combine combine) {
    return [=](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
        const std::size_t n_heads = lesson::require_fit(Q, K, V, n_kv_heads).n_heads;
        const std::size_t group = n_heads / n_kv_heads;
        const Heads queries = plain::split(Q, n_heads);
        Heads replaced;
        for (std::size_t h = 0; h < n_heads; ++h) {
            const auto begin = queries.begin() + static_cast<std::ptrdiff_t>(h / group * group);
            replaced.push_back(combine(Heads(begin, begin + static_cast<std::ptrdiff_t>(group))));
        }
        return GroupedMechanism{}(plain::merge(replaced), K, V, n_kv_heads);
    };
}

MISCONCEPTION(grouped_query_attention, queries_averaged,
              "the queries of a group are averaged. They share keys and values, and ask each for "
              "itself.",
              queries_a_group([](const Heads& group) -> Matrix {
                  return sum_of(group) / real(group.size());
              }));

MISCONCEPTION(grouped_query_attention, queries_added_up,
              "the queries of a group are added up. They share keys and values, and ask each for "
              "itself.",
              queries_a_group(sum_of));

MISCONCEPTION(
    grouped_query_attention, first_queries_of_the_group,
    "all heads of a group ask with its first queries. They share keys and values, and ask "
    "each for itself.",
    queries_a_group([](const Heads& group) { return group.front(); }));

WRONG_GROUPS(queries_of_head_0, "every head asks with the queries of head 0.",
             .split_queries = first_for_all);

WRONG_GROUPS(
    group_of_0_only,
    "only the first group has an output, the other heads are 0. Look where the loop over "
    "the heads ends.",
    .change = [](auto& weights, auto n_kv_heads) {
        for (std::size_t h = weights.size() / n_kv_heads; h < weights.size(); ++h) {
            weights[h] *= 0;
        }
    });

WRONG_GROUPS(
    first_head_only,
    "only head 0 has an output, the others are 0. Look where the loop over the heads ends, "
    "or whether it returns too early.",
    .change = [](auto& weights, auto) {
        for (std::size_t h = 1; h < weights.size(); ++h) {
            weights[h] *= 0;
        }
    });

WRONG_GROUPS(
    as_many_as_keys_only,
    "only the first n_kv_heads heads of queries have an output, the others are 0. The loop "
    "runs over n_heads.",
    .change = [](auto& weights, auto n_kv_heads) {
        for (std::size_t h = n_kv_heads; h < weights.size(); ++h) {
            weights[h] *= 0;
        }
    });

WRONG_GROUPS(
    last_head_left_out, "the last head is 0: the loop over the heads ends one too early.",
    .change = [](auto& weights, auto) { weights.back() *= 0; });

WRONG_GROUPS(softmax_over_queries,
             "the softmax runs over the queries: columns of the weights sum to 1 and rows do not.",
             .weigh = softmax_of_columns);

WRONG_GROUPS(softmax_over_everything,
             "the softmax runs over the whole matrix of a head. Each row by itself sums to 1.",
             .weigh = softmax_of_everything);

WRONG_GROUPS(
    no_softmax, "the values are mixed by the scores themselves: the softmax is missing.",
    .weigh = [](auto& scores) { return scores; });

WRONG_GROUPS(no_maximum_subtracted,
             "right until a score is large: exp overflows, since the row's maximum is not "
             "subtracted. attention::softmax_rows does it.",
             .weigh = softmax_unshifted);

WRONG_GROUPS(maximum_from_0,
             "the search for the largest score begins at 0. Where all of a row are far below, "
             "every exponential is 0, and 0 / 0 is NaN. Begin at the first score, or at −∞.",
             .weigh = softmax_from_0);

WRONG_GROUPS(
    mixed_by_columns,
    "the values are mixed by the columns of the weights, weightsᵀ · V. The shares of query "
    "i stand in row i.",
    .mix = [](auto& weights, auto& V) { return oracle::matmul(transposed(weights), V); });

WRONG_GROUPS(
    divided_by_the_group,
    "the output is divided by the number of heads in a group. Nothing is averaged here.",
    .merge_outputs = [](auto& heads, auto n_kv_heads) -> Matrix {
        return plain::merge(heads) / real(heads.size() / n_kv_heads);
    });

MISCONCEPTION(grouped_query_attention, keys_mixed,
              "the weights mix the keys, and V is never looked at.",
              [](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
                  lesson::require_fit(Q, K, V, n_kv_heads);
                  return GroupedMechanism{}(Q, K, K, n_kv_heads);
              });

std::size_t by_n_kv_heads_or_last(std::size_t h, std::size_t, std::size_t n_kv_heads) {
    return std::min(h / n_kv_heads, n_kv_heads - 1);
}

WRONG_GROUPS(
    divided_by_n_kv_heads_or_last,
    "the head of keys is h / n_kv_heads, and where there is none, the last one. A group has "
    "n_heads / n_kv_heads heads of queries, and h is divided by that.",
    .key_of = by_n_kv_heads_or_last, .value_of = by_n_kv_heads_or_last);

WRONG_GROUPS(
    outputs_in_turns,
    "the heads are right, but the outputs are dealt out among the groups in turns. The "
    "output of head h has the columns h · d_v ….",
    .merge_outputs = [](auto& heads, auto n_kv_heads) {
        const std::size_t group = heads.size() / n_kv_heads;
        Heads moved = heads;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            moved[h % n_kv_heads * group + h / n_kv_heads] = heads[h];
        }
        return plain::merge(moved);
    });

WRONG_GROUPS(
    weights_of_the_group_averaged,
    "the heads of a group share their weights. They share keys and values, and each weighs "
    "them for itself.",
    .change = [](auto& weights, auto n_kv_heads) {
        const std::size_t group = weights.size() / n_kv_heads;
        for (std::size_t g = 0; g < n_kv_heads; ++g) {
            Matrix mean = weights[g * group];
            for (std::size_t h = 1; h < group; ++h) {
                mean += weights[g * group + h];
            }
            mean /= real(group);
            for (std::size_t h = 0; h < group; ++h) {
                weights[g * group + h] = mean;
            }
        }
    });

MISCONCEPTION(grouped_query_attention, queries_by_their_place_in_the_group,
              "every group asks with the first heads of queries: h % group in place of h.",
              [](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
                  const std::size_t n_heads = lesson::require_fit(Q, K, V, n_kv_heads).n_heads;
                  const Heads queries = plain::split(Q, n_heads);
                  Heads replaced;
                  for (std::size_t h = 0; h < n_heads; ++h) {
                      replaced.push_back(queries[h % (n_heads / n_kv_heads)]);
                  }
                  return GroupedMechanism{}(plain::merge(replaced), K, V, n_kv_heads);
              });

} // namespace
