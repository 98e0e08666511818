// Wrong versions of 10.5 that people really write: masks, what is left out, and what is summed
// otherwise.

#include "wrong_backward.hpp"

using namespace wrong;

namespace {

// ---- Masks.

MISCONCEPTION(streaming_backward, blocked_key_ends_it,
              "the first blocked key ends the loop: later keys are lost. continue, not break.",
              backward_with([](auto& b) { b.ends_at_a_blocked_key = true; }));

constexpr const char* lost_keys =
    "where the keys fill more than a tile, those past the last whole tile are left out: the number "
    "of tiles is rounded down. Round it up, and cut the last one short.";
MISCONCEPTION(streaming_backward, keys_past_whole_tiles_lost, lost_keys,
              backward_with([](auto& b) { b.tile = 16; }));
auto weights_dropped_below(double bound) {
    return weighed([=](auto& p) {
        const double weight = std::exp(p.dot / p.root - p.logsumexp);
        return weight < bound ? 0.0 : weight;
    });
}
constexpr const char* dropped_weights =
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts like "
    "any other.";
// Known at any bound: the grader says how.
MISCONCEPTION(streaming_backward, small_weights_dropped, dropped_weights,
              weights_dropped_below(1e-6));
MISCONCEPTION(streaming_backward, small_weights_dropped_from_d_Q_and_d_K,
              "a weight that is small is taken for 0 in d_Q and d_K. It may meet a value that is "
              "as large, and counts like any other.",
              scored([](auto& pair, double p) {
                  return p < 1e-6 ? 0 : p * (pair.d_weight - pair.row_sum) / pair.root;
              }));
MISCONCEPTION(
    streaming_backward, d_V_left_out_where_d_score_is_0,
    "a pair whose d_score is 0 is left out altogether. Its weight need not be 0, as where "
    "a query sees a single key or all values are equal: d_V takes weight · d_output in "
    "any case.",
    backward_with([](auto& b) {
        b.into_V = [](auto& pair, double p) {
            return p * (pair.d_weight - pair.row_sum) == 0 ? 0 : p;
        };
    }));
MISCONCEPTION(streaming_backward, row_sum_of_d_k_components,
              "the row's sum, d_output · output, goes over d_k components. A row of the output has "
              "d_v of them.",
              backward_with([](auto& b) { b.row_sum_of_d_k = true; }));
MISCONCEPTION(streaming_backward, blind_query_ends_it,
              "the first query that sees no key ends the loop: later queries are lost. continue, "
              "not break.",
              backward_with([](auto& b) { b.ends_at_a_blind_query = true; }));
MISCONCEPTION(streaming_backward, last_query_alone_in_d_K_and_d_V,
              "each query writes over what the ones before gave to d_K and d_V. A key and its "
              "value take something of every query: +=.",
              backward_with([](auto& b) { b.last_only_K = b.last_only_V = true; }));
MISCONCEPTION(
    streaming_backward, output_0_taken_for_nothing_seen,
    "a query whose output is 0, or its D, is taken for one that sees nothing. Values may be 0, and "
    "may cancel; where nothing is seen logsumexp is −∞.",
    [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
        Streamed changed = forward;
        for (std::size_t i = 0; i < Q.shape(0) && i < forward.output.shape(0); ++i) {
            if (xt::all(xt::equal(xt::view(forward.output, i, xt::all()), 0.0)) &&
                i < forward.logsumexp.size()) {
                changed.logsumexp(i) = -infinity;
            }
        }
        return backward_with([](auto& b) { b.blind_left_out = true; })(Q, K, V, changed, d_output,
                                                                       mask);
    });
MISCONCEPTION(streaming_backward, mask_ignored,
              "the mask is not looked at. A blocked key has weight 0 and takes no gradient.",
              backward_with([](auto& b) { b.masked = false; }));
MISCONCEPTION(streaming_backward, mask_inverted,
              "the mask is read the other way round: true means that the query may see the key.",
              backward_with([](auto& b) { b.inverted = true; }));
auto masked_in_groups_of(std::size_t keys) {
    return backward_with([=](auto& b) { b.masked_groups_of = keys; });
}
constexpr const char* keys_left_over_not_masked =
    "several keys are taken at a time, and those that are left over at the end are not masked: "
    "there blocked keys count, too. Ask the mask in the loop over the rest as well.";
MISCONCEPTION(streaming_backward, keys_past_pairs_not_masked, keys_left_over_not_masked,
              masked_in_groups_of(2));
MISCONCEPTION(streaming_backward, keys_past_fours_not_masked, keys_left_over_not_masked,
              masked_in_groups_of(4));
MISCONCEPTION(streaming_backward, keys_past_eights_not_masked, keys_left_over_not_masked,
              masked_in_groups_of(8));
MISCONCEPTION(
    streaming_backward, causal_where_there_is_no_mask,
    "where there is no mask a causal one is taken. Without one every query sees every key: whoever "
    "wants a causal mask hands it in.",
    [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
        const Mask causal = plain::causal_mask(Q.shape(0), K.shape(0));
        return Backward{}(Q, K, V, forward, d_output, mask ? *mask : causal);
    });
MISCONCEPTION(
    streaming_backward, causal_where_there_is_a_mask,
    "where there is a mask it is taken for the causal one, and never read. There are others: "
    "ask (*mask)(i, j).",
    [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
        return Backward{}(Q, K, V, forward, d_output,
                          mask ? plain::causal_mask(Q.shape(0), K.shape(0)) : OptionalMask());
    });
MISCONCEPTION(
    streaming_backward, mask_transposed,
    "the mask is read at (j, i), key and query exchanged. Its rows are queries: mask(i, j) "
    "says whether query i may see key j.",
    [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
        if (mask && Q.shape(0) != K.shape(0)) {
            throw std::runtime_error("out of range");
        }
        return backward_with([](auto& b) { b.mask_transposed = true; })(Q, K, V, forward, d_output,
                                                                        mask);
    });
MISCONCEPTION(streaming_backward, nan_where_nothing_is_seen,
              "a blocked key's weight is computed and then multiplied by 0. Of a query that sees "
              "nothing logsumexp is −∞, the weight infinite, and 0 times that is NaN. Leave "
              "blocked keys out.",
              backward_with([](auto& b) { b.blocked_multiplied = true; }));
MISCONCEPTION(streaming_backward, nan_of_two_infinities,
              "a blocked key gets the score −∞, and of a query that sees nothing logsumexp is −∞, "
              "too: their difference is NaN, and so is all that it is added to. Leave blocked keys "
              "out, and queries that see nothing.",
              backward_with([](auto& b) { b.blocked_at_minus_infinity = true; }));

MISCONCEPTION(streaming_backward, blocked_weight_times_0,
              "a blocked key's weight is computed and then multiplied by 0. Where its score lies "
              "710 and more above logsumexp the weight is infinite, and 0 times that is NaN. Leave "
              "blocked keys out.",
              backward_with([](auto& b) { b.blocked_multiplied = b.blind_left_out = true; }));

MISCONCEPTION(streaming_backward, logsumexp_of_the_key,
              "logsumexp is read at the key, j in place of i. It belongs to a query: it is the "
              "sum over all its keys.",
              backward_with([](auto& b) { b.logsumexp_of_key = true; }));
MISCONCEPTION(streaming_backward, d_weight_alone_scaled,
              "d_weight is divided by √d_k before the row's sum is subtracted. The difference is "
              "divided: p (d_weight − sum) / √d_k.",
              scored([](auto& pair, double p) {
                  return p * (pair.d_weight / pair.root - pair.row_sum);
              }));
MISCONCEPTION(streaming_backward, row_sum_alone_scaled,
              "the row's sum is divided by √d_k, and d_weight is not: parentheses are missing. It "
              "is p (d_weight − sum) / √d_k.",
              scored([](auto& pair, double p) {
                  return p * (pair.d_weight - pair.row_sum / pair.root);
              }));

MISCONCEPTION(streaming_backward, row_sum_unfinished,
              "what is subtracted is the sum up to this key, not that of the whole row. It is "
              "known before the loop over the keys begins: d_output · output.",
              scored([](auto& pair, double p) {
                  return p * (pair.d_weight - pair.sum_so_far) / pair.root;
              }));
MISCONCEPTION(streaming_backward, d_scores_by_the_root_of_d_v,
              "d_score is divided by √d_v, and the score by √d_k. Both are divided by √d_k.",
              scored([](auto& pair, double p) {
                  return p * (pair.d_weight - pair.row_sum) / std::sqrt(pair.d_v);
              }));

MISCONCEPTION(streaming_backward, keys_into_d_K,
              "d_K gets d_score times the key itself. A score is q · k: the gradient of the key is "
              "the query.",
              backward_with([](auto& b) { b.keys_into_K = true; }));
MISCONCEPTION(streaming_backward, products_in_whole_numbers, products_in_an_int,
              backward_with([](auto& b) {
                  b.product = whole_dot;
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto i) {
                      return whole_dot(d_output, i, output, i);
                  };
              }));
MISCONCEPTION(streaming_backward, d_k_components_of_everything,
              "all sums and gradients go over d_k components. Values, outputs and d_output have "
              "d_v: what is summed or written there needs a loop of its own.",
              [](In Q, In K, In V, const Streamed& forward, In d_output, const OptionalMask& mask) {
                  lesson::require_fit("streaming_backward", Q, K, V);
                  lesson::require_mask("streaming_backward", Q, K, mask);
                  lesson::require_forward("streaming_backward", Q, V, forward, d_output);
                  AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      double row_sum = 0;
                      for (std::size_t c = 0; c < Q.shape(1); ++c) {
                          row_sum += d_output(i, c) * forward.output(i, c);
                      }
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          if (mask && !(*mask)(i, j)) {
                              continue;
                          }
                          double g = 0;
                          for (std::size_t c = 0; c < Q.shape(1); ++c) {
                              g += d_output(i, c) * V(j, c);
                          }
                          const double divisor = root(Q.shape(1));
                          const double p =
                              std::exp(dot(Q, i, K, j) / divisor - forward.logsumexp(i));
                          const double d_s = p * (g - row_sum) / divisor;
                          for (std::size_t c = 0; c < Q.shape(1); ++c) {
                              d.d_V(j, c) += p * d_output(i, c);
                              d.d_Q(i, c) += d_s * K(j, c);
                              d.d_K(j, c) += d_s * Q(i, c);
                          }
                      }
                  }
                  return d;
              });

} // namespace
