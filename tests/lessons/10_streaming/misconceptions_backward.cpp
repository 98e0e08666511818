// Wrong versions of 10.5 that people really write.

#include "wrong.hpp"

using namespace wrong;

namespace {

/// One pair of a query and a key: its score, not yet divided, and what else there is.
struct Pair {
    double dot, root, logsumexp, d_weight, row_sum, d_k, n_keys, d_v;
    double sum_so_far; // of the row, up to this key
};

/// 10.5, each of whose parts a misconception may exchange for a wrong one.
struct Backward {
    std::function<double(const Pair&)> weight = [](auto& pair) {
        return std::exp(pair.dot / pair.root - pair.logsumexp);
    };
    std::function<double(const Pair&, double p)> d_score = [](auto& pair, double p) {
        return p * (pair.d_weight - pair.row_sum) / pair.root;
    };
    std::function<double(const Pair&, double p)> into_V = [](auto&, double p) { return p; };
    double times_d_Q = 1, times_d_K = 1;
    bool root_in_d_Q = true, root_in_d_K = true, root_in_d_V = false;
    std::size_t tile = 1U << 30U;  // keys past whole ones are lost
    bool logsumexp_of_key = false; // j for i
    bool masked = true, inverted = false, exchanged = false, last_only = false;
    bool mask_transposed = false;    // where it is a square
    bool blocked_multiplied = false; // by 0, in place of left out
    bool ends_at_a_blocked_key = false, root_of_d_v = false, root_of_one_more = false;
    bool output_into_V = false, output_for_d_weight = false; // in place of d_output
    bool number_into_V = false;                              // without d_output
    bool row_sum_of_d_k = false; // of as many components, where there are more
    bool ends_at_a_blind_query = false;
    bool last_only_Q = false, last_only_K = false, last_only_V = false;
    /// Σ of a row, as the output and d_output have it.
    std::function<double(In d_output, In output, In V, std::size_t i)> row_sum =
        [](auto& d_output, auto& output, auto&, auto i) { return dot(d_output, i, output, i); };

    AttentionGradients operator()(In Q, In K, In V, const Streamed& forward, In d_output,
                                  const OptionalMask& mask) const {
        lesson::require_fit("streaming_backward", Q, K, V);
        lesson::require_mask("streaming_backward", Q, K, mask);
        lesson::require_forward("streaming_backward", Q, V, forward, d_output);
        const double divisor =
            root((root_of_d_v ? V.shape(1) : K.shape(1)) + (root_of_one_more ? 1 : 0));
        AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            if (ends_at_a_blind_query && forward.logsumexp(i) == -infinity) {
                break;
            }
            double sum_so_far = 0, sum_of_d_k = 0;
            for (std::size_t c = 0; c < std::min(K.shape(1), V.shape(1)); ++c) {
                sum_of_d_k += d_output(i, c) * forward.output(i, c);
            }
            const std::size_t n_keys = K.shape(0);
            for (std::size_t j = 0; j < (n_keys > tile ? n_keys / tile * tile : n_keys); ++j) {
                const bool turned = mask_transposed && Q.shape(0) == n_keys;
                const bool seen =
                    !mask || !masked || (turned ? (*mask)(j, i) : (*mask)(i, j)) != inverted;
                if (!seen && ends_at_a_blocked_key) {
                    break;
                }
                if (!seen && !blocked_multiplied) {
                    continue;
                }
                Pair pair{dot(Q, i, K, j),
                          divisor,
                          forward.logsumexp(logsumexp_of_key ? j : i),
                          dot(output_for_d_weight ? forward.output : d_output, i, V, j),
                          row_sum_of_d_k ? sum_of_d_k : row_sum(d_output, forward.output, V, i),
                          real(K.shape(1)),
                          real(K.shape(0)),
                          real(V.shape(1)),
                          0};
                const double p = weight(pair) * (seen ? 1 : 0);
                sum_so_far += p * pair.d_weight;
                pair.sum_so_far = sum_so_far;
                const double d_s = d_score(pair, p);
                for (std::size_t c = 0; c < V.shape(1); ++c) {
                    const double at_output = number_into_V   ? 1
                                             : output_into_V ? forward.output(i, c)
                                                             : d_output(i, c);
                    d.d_V(j, c) = (last_only || last_only_V ? 0 : d.d_V(j, c)) +
                                  into_V(pair, p) * at_output / (root_in_d_V ? divisor : 1);
                }
                for (std::size_t c = 0; c < K.shape(1); ++c) {
                    const double of_Q = d_s * times_d_Q * (root_in_d_Q ? 1 : divisor);
                    const double of_K = d_s * times_d_K * (root_in_d_K ? 1 : divisor);
                    d.d_Q(i, c) = (last_only || last_only_Q ? 0 : d.d_Q(i, c)) +
                                  of_Q * (exchanged ? Q(i, c) : K(j, c));
                    d.d_K(j, c) = (last_only || last_only_K ? 0 : d.d_K(j, c)) +
                                  of_K * (exchanged ? K(j, c) : Q(i, c));
                }
            }
        }
        return d;
    }
};

template <class Change>
Backward with(Change change) {
    Backward wrong;
    change(wrong);
    return wrong;
}
auto weighed(decltype(Backward::weight) weight) {
    return with([&](auto& b) { b.weight = weight; });
}
auto scored(decltype(Backward::d_score) d_score) {
    return with([&](auto& b) { b.d_score = d_score; });
}

// ---- The weight.

MISCONCEPTION(streaming_backward, logsumexp_forgotten,
              "the weight is exp(score), with no logsumexp subtracted: not divided by the sum.",
              weighed([](auto& p) { return std::exp(p.dot / p.root); }));
MISCONCEPTION(streaming_backward, logsumexp_0_taken_for_nothing_seen,
              "a query whose logsumexp is 0 is taken for one that sees nothing. It may be 0, as of "
              "one key with a score of 0; where nothing is seen it is −∞.",
              weighed([](auto& p) {
                  return p.logsumexp == 0 ? 0 : std::exp(p.dot / p.root - p.logsumexp);
              }));
MISCONCEPTION(streaming_backward, logsumexp_added,
              "logsumexp is added to the score. It is subtracted: a weight is exp(score) / Σ "
              "exp(score).",
              weighed([](auto& p) { return std::exp(p.dot / p.root + p.logsumexp); }));
MISCONCEPTION(streaming_backward, divided_by_logsumexp,
              "the weight is exp(score) divided by logsumexp. Divide by exp(logsumexp), which is "
              "exp(score − logsumexp).",
              weighed([](auto& p) { return std::exp(p.dot / p.root) / p.logsumexp; }));
MISCONCEPTION(streaming_backward, exponentials_divided,
              "the weight is exp(score) / exp(logsumexp), and of scores of 1000 both are infinite. "
              "Subtract first: exp(score − logsumexp).",
              weighed([](auto& p) { return std::exp(p.dot / p.root) / std::exp(p.logsumexp); }));
MISCONCEPTION(streaming_backward, score_not_scaled,
              "the score that the weight is made of is not divided by √d_k. It has to be the "
              "forward's.",
              weighed([](auto& p) { return std::exp(p.dot - p.logsumexp); }));
MISCONCEPTION(streaming_backward, score_divided_by_d_k,
              "the score that the weight is made of is divided by d_k. It is its square root.",
              weighed([](auto& p) { return std::exp(p.dot / p.d_k - p.logsumexp); }));
MISCONCEPTION(streaming_backward, scale_after_the_subtraction,
              "logsumexp is divided by √d_k, too: the score alone is, before it is subtracted.",
              weighed([](auto& p) { return std::exp((p.dot - p.logsumexp) / p.root); }));
MISCONCEPTION(streaming_backward, log_of_the_weight,
              "score − logsumexp is the logarithm of the weight: exp is missing.",
              weighed([](auto& p) { return p.dot / p.root - p.logsumexp; }));
MISCONCEPTION(streaming_backward, powers_of_two, "the weight is a power of 2 in place of e.",
              weighed([](auto& p) { return std::exp2(p.dot / p.root - p.logsumexp); }));
MISCONCEPTION(streaming_backward, equal_weights, "all weights are equal, 1 / n_keys.",
              weighed([](auto& p) { return 1 / p.n_keys; }));

// ---- The softmax's way back.

MISCONCEPTION(streaming_backward, row_sum_forgotten,
              "the row's sum, d_output · output, is not subtracted from d_weight (08.1).",
              scored([](auto& p, double w) { return w * p.d_weight / p.root; }));
MISCONCEPTION(streaming_backward, row_sum_added,
              "the row's sum, d_output · output, is added. It is subtracted from d_weight (08.1).",
              scored([](auto& p, double w) { return w * (p.d_weight + p.row_sum) / p.root; }));
MISCONCEPTION(streaming_backward, subtracted_after_weighing,
              "the row's sum is subtracted after d_weight was multiplied by the weight. The weight "
              "multiplies both: p (g − Σ p g).",
              scored([](auto& p, double w) { return (w * p.d_weight - p.row_sum) / p.root; }));
MISCONCEPTION(streaming_backward, weight_forgotten,
              "d_score is not multiplied by the weight: p (g − Σ p g).",
              scored([](auto& p, double) { return (p.d_weight - p.row_sum) / p.root; }));
MISCONCEPTION(streaming_backward, sigmoid_instead,
              "d_score is p (1 − p) g, as if each weight depended on its own score alone. It is p "
              "(g − Σ p g).",
              scored([](auto& p, double w) { return w * (1 - w) * p.d_weight / p.root; }));
MISCONCEPTION(streaming_backward, no_softmax,
              "the gradient of the weight is taken for that of the score: the softmax's way back "
              "is missing.",
              scored([](auto& p, double) { return p.d_weight / p.root; }));
MISCONCEPTION(streaming_backward, sign_of_d_score,
              "d_score has the wrong sign: it is p (g − Σ p g).",
              scored([](auto& p, double w) { return w * (p.row_sum - p.d_weight) / p.root; }));
MISCONCEPTION(streaming_backward, row_sum_of_the_values,
              "the row's sum is d_output · Σ v, of all values alike. It is d_output · output: the "
              "output is the sum of the values, weighed.",
              with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto&, auto& V, auto i) {
                      double sum = 0;
                      for (std::size_t j = 0; j < V.shape(0); ++j) {
                          sum += dot(d_output, i, V, j);
                      }
                      return sum;
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_d_output,
              "the row's sum is Σ d_output. It is d_output · output, a dot product.",
              with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto&, auto&, auto i) {
                      double sum = 0;
                      for (std::size_t c = 0; c < d_output.shape(1); ++c) {
                          sum += d_output(i, c);
                      }
                      return sum;
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_all_rows,
              "d_output · output is summed over all queries, and that one number subtracted in "
              "every row. Each query has a sum of its own.",
              with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto) {
                      double sum = 0;
                      for (std::size_t i = 0; i < d_output.shape(0); ++i) {
                          sum += dot(d_output, i, output, i);
                      }
                      return sum;
                  };
              }));

MISCONCEPTION(streaming_backward, row_sum_of_the_output,
              "the row's sum is output · output. It is d_output · output.", with([](auto& b) {
                  b.row_sum = [](auto&, auto& output, auto&, auto i) {
                      return dot(output, i, output, i);
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_the_first_query,
              "the row's sum of the first query is used for all.", with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto) {
                      return dot(d_output, 0, output, 0);
                  };
              }));

// ---- Into Q, K and V.

MISCONCEPTION(streaming_backward, root_forgotten,
              "d_Q and d_K are not divided by √d_k: the scores were, so their gradients are.",
              with([](auto& b) { b.root_in_d_Q = b.root_in_d_K = false; }));
MISCONCEPTION(streaming_backward, root_missing_in_d_Q, "d_Q is not divided by √d_k; d_K is.",
              with([](auto& b) { b.root_in_d_Q = false; }));
MISCONCEPTION(streaming_backward, root_missing_in_d_K, "d_K is not divided by √d_k; d_Q is.",
              with([](auto& b) { b.root_in_d_K = false; }));
MISCONCEPTION(streaming_backward, root_in_d_V,
              "d_V is divided by √d_k, too. V has nothing to do with the scores.",
              with([](auto& b) { b.root_in_d_V = true; }));
MISCONCEPTION(streaming_backward, divided_by_d_k,
              "d_Q and d_K are divided by d_k: once too often by its root.",
              scored([](auto& p, double w) { return w * (p.d_weight - p.row_sum) / p.d_k; }));
MISCONCEPTION(streaming_backward, times_root,
              "d_Q and d_K are multiplied by √d_k. They are divided by it.",
              scored([](auto& p, double w) { return w * (p.d_weight - p.row_sum) * p.root; }));
MISCONCEPTION(streaming_backward, queries_and_keys_exchanged,
              "d_Q gets the queries and d_K the keys. A score is q · k: the gradient of q is k.",
              with([](auto& b) { b.exchanged = true; }));
MISCONCEPTION(streaming_backward, d_V_without_weights,
              "d_V gets d_output as it is. Each value went into the output times its weight.",
              with([](auto& b) { b.into_V = [](auto&, double) { return 1.0; }; }));
MISCONCEPTION(streaming_backward, d_V_from_d_scores,
              "d_V is made with d_score. It is the weight that multiplied the value.",
              with([](auto& b) {
                  b.into_V = [](auto& p, double w) { return w * (p.d_weight - p.row_sum); };
              }));
MISCONCEPTION(streaming_backward, last_pair_alone,
              "gradients are written over and not added to: d_Q sums over the keys, d_K and d_V "
              "over the queries.",
              with([](auto& b) { b.last_only = true; }));
MISCONCEPTION(streaming_backward, d_Q_twice, "d_Q is twice what it should be.",
              with([](auto& b) { b.times_d_Q = 2; }));
MISCONCEPTION(streaming_backward, d_K_negative,
              "d_K has the wrong sign: each of its elements is negated.",
              with([](auto& b) { b.times_d_K = -1; }));
MISCONCEPTION(streaming_backward, d_Q_negative,
              "d_Q has the wrong sign: each of its elements is negated.",
              with([](auto& b) { b.times_d_Q = -1; }));
MISCONCEPTION(streaming_backward, d_K_not_computed, "d_K is 0 throughout: nothing is added to it.",
              with([](auto& b) { b.times_d_K = 0; }));
MISCONCEPTION(streaming_backward, d_Q_not_computed,
              "d_Q is 0 throughout: nothing is added to it, or the query's own row is, whose "
              "factors sum to 0 over the keys. It is d_score times the key.",
              with([](auto& b) { b.times_d_Q = 0; }));

MISCONCEPTION(streaming_backward, d_Q_of_the_last_key,
              "d_Q is written over and not added to: it sums over the keys.",
              with([](auto& b) { b.last_only_Q = true; }));
MISCONCEPTION(streaming_backward, d_K_of_the_last_query,
              "d_K is written over and not added to: it sums over the queries.",
              with([](auto& b) { b.last_only_K = true; }));
MISCONCEPTION(streaming_backward, d_V_of_the_last_query,
              "d_V is written over and not added to: it sums over the queries.",
              with([](auto& b) { b.last_only_V = true; }));
MISCONCEPTION(streaming_backward, d_V_from_the_output,
              "d_V is made with the output. It is d_output, times the weight.",
              with([](auto& b) { b.output_into_V = true; }));
MISCONCEPTION(streaming_backward, d_weight_from_the_output,
              "the gradient of a weight is made with the output. It is d_output · v.",
              with([](auto& b) { b.output_for_d_weight = true; }));
MISCONCEPTION(streaming_backward, root_of_d_v,
              "scores and gradients are divided by √d_v. It is d_k, the components of a query.",
              with([](auto& b) { b.root_of_d_v = true; }));
MISCONCEPTION(streaming_backward, root_of_one_more,
              "scores and gradients are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              with([](auto& b) { b.root_of_one_more = true; }));
MISCONCEPTION(streaming_backward, score_by_the_root_of_one_more,
              "the score that the weight is made of is divided by √(d_k + 1). It has to be the "
              "forward's: √d_k.",
              weighed([](auto& p) {
                  return std::exp(p.dot / std::sqrt(p.d_k + 1) - p.logsumexp);
              }));
MISCONCEPTION(streaming_backward, weight_squared,
              "the weight is squared wherever it is used. It stands in d_score and in d_V once.",
              weighed([](auto& p) { return std::exp(2 * (p.dot / p.root - p.logsumexp)); }));
MISCONCEPTION(streaming_backward, weight_squared_in_d_score,
              "in d_score the weight stands twice: p² (d_weight − sum). Once is right.",
              scored([](auto& pair, double p) {
                  return p * p * (pair.d_weight - pair.row_sum) / pair.root;
              }));
MISCONCEPTION(streaming_backward, weight_squared_before_the_sum,
              "d_weight is multiplied by the weight before the row's sum is subtracted, and once "
              "more after it: p (p d_weight − sum). It is p (d_weight − sum).",
              scored([](auto& pair, double p) {
                  return p * (p * pair.d_weight - pair.row_sum) / pair.root;
              }));
MISCONCEPTION(streaming_backward, weight_squared_in_d_V,
              "in d_V the weight stands twice. It is p d_output.",
              with([](auto& b) { b.into_V = [](auto&, double p) { return p * p; }; }));
MISCONCEPTION(streaming_backward, row_sum_of_its_own_value,
              "the row's sum is made of the value at the query's position, d_output · V(i). It is "
              "d_output · output: that row is the query's.",
              with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto&, auto& V, auto i) {
                      return dot(d_output, i, V, std::min(i, V.shape(0) - 1));
                  };
              }));
MISCONCEPTION(streaming_backward, logsumexp_for_the_row_sum,
              "what is subtracted from d_weight is the logsumexp. That belongs into the weight; "
              "here it is the row's sum, d_output · output.",
              with([](auto& b) {
                  b.d_score = [](auto& pair, double p) {
                      return p * (pair.d_weight - pair.logsumexp) / pair.root;
                  };
              }));
MISCONCEPTION(streaming_backward, d_weight_into_d_V,
              "d_V gets d_output times d_weight. It is the weight itself by which a value went "
              "into the output.",
              with([](auto& b) { b.into_V = [](auto& pair, double) { return pair.d_weight; }; }));
MISCONCEPTION(
    streaming_backward, d_V_weighed_by_d_weight,
    "d_V gets d_output times the weight times d_weight. It is the weight alone by which a "
    "value went into the output.",
    with([](auto& b) { b.into_V = [](auto& pair, double p) { return p * pair.d_weight; }; }));
MISCONCEPTION(streaming_backward, d_weight_for_d_output_in_d_V,
              "every component of d_V gets the weight times d_weight, one number. It is the weight "
              "times d_output, a number for each component.",
              with([](auto& b) {
                  b.number_into_V = true;
                  b.into_V = [](auto& pair, double p) { return p * pair.d_weight; };
              }));
MISCONCEPTION(streaming_backward, d_score_for_d_output_in_d_V,
              "every component of d_V gets d_score, one number. It is the weight times d_output, a "
              "number for each component.",
              with([](auto& b) {
                  b.number_into_V = true;
                  b.into_V = [](auto& pair, double p) {
                      return p * (pair.d_weight - pair.row_sum) / pair.root;
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_d_output_squared,
              "the row's sum is d_output · d_output. It is d_output · output.", with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto&, auto&, auto i) {
                      return dot(d_output, i, d_output, i);
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_kept_from_query_to_query,
              "the row's sum is added up over the queries. Each query begins with 0: look where it "
              "is declared.",
              with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto i) {
                      double sum = 0;
                      for (std::size_t k = 0; k <= i; ++k) {
                          sum += dot(d_output, k, output, k);
                      }
                      return sum;
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_weighed_once_more,
              "the row's sum is multiplied by the weight before it is subtracted, and then again: "
              "p (g − Σ p g) has one p in front.",
              scored([](auto& p, double w) { return w * (p.d_weight - w * p.row_sum) / p.root; }));

// ---- Masks.

MISCONCEPTION(streaming_backward, blocked_key_ends_it,
              "the first blocked key ends the loop: later keys are lost. continue, not break.",
              with([](auto& b) { b.ends_at_a_blocked_key = true; }));

constexpr const char* lost_keys =
    "where the keys fill more than a tile, those past the last whole tile are left out: the number "
    "of tiles is rounded down. Round it up, and cut the last one short.";
MISCONCEPTION(streaming_backward, keys_past_whole_tiles_lost, lost_keys,
              with([](auto& b) { b.tile = 16; }));
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
MISCONCEPTION(streaming_backward, row_sum_of_d_k_components,
              "the row's sum, d_output · output, goes over d_k components. A row of the output has "
              "d_v of them.",
              with([](auto& b) { b.row_sum_of_d_k = true; }));
MISCONCEPTION(streaming_backward, blind_query_ends_it,
              "the first query that sees no key ends the loop: later queries are lost. continue, "
              "not break.",
              with([](auto& b) { b.ends_at_a_blind_query = true; }));
MISCONCEPTION(streaming_backward, last_query_alone_in_d_K_and_d_V,
              "each query writes over what the ones before gave to d_K and d_V. A key and its "
              "value take something of every query: +=.",
              with([](auto& b) { b.last_only_K = b.last_only_V = true; }));
MISCONCEPTION(streaming_backward, mask_ignored,
              "the mask is not looked at. A blocked key has weight 0 and takes no gradient.",
              with([](auto& b) { b.masked = false; }));
MISCONCEPTION(streaming_backward, mask_inverted,
              "the mask is read the other way round: true means that the query may see the key.",
              with([](auto& b) { b.inverted = true; }));
MISCONCEPTION(streaming_backward, mask_transposed,
              "the mask is read at (j, i), where there are as many queries as keys. Its rows are "
              "queries: mask(i, j) says whether query i may see key j.",
              with([](auto& b) { b.mask_transposed = true; }));
MISCONCEPTION(streaming_backward, nan_where_nothing_is_seen,
              "a blocked key's weight is computed and then multiplied by 0. Of a query that sees "
              "nothing logsumexp is −∞, the weight infinite, and 0 times that is NaN. Leave "
              "blocked keys out.",
              with([](auto& b) { b.blocked_multiplied = true; }));

MISCONCEPTION(streaming_backward, logsumexp_of_the_key,
              "logsumexp is read at the key, j in place of i. It belongs to a query: it is the "
              "sum over all its keys.",
              with([](auto& b) { b.logsumexp_of_key = true; }));
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

} // namespace
