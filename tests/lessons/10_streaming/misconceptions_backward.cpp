// Wrong versions of 10.5 that people really write; what is left out, and masks:
// misconceptions_backward_seen.cpp.

#include "wrong_backward.hpp"

using namespace wrong;

namespace {

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
MISCONCEPTION(streaming_backward, powers_of_two_by_ln_2,
              "the weight is a power of 2, exp2, of what was multiplied by ln 2. eˣ is 2 to the "
              "power of x · log₂ e: multiply by 1.4427, or divide by ln 2.",
              weighed([](auto& p) {
                  return std::exp2((p.dot / p.root - p.logsumexp) * std::log(2.0));
              }));
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
              backward_with([](auto& b) {
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
              backward_with([](auto& b) {
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
              backward_with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto) {
                      double sum = 0;
                      for (std::size_t i = 0; i < d_output.shape(0); ++i) {
                          sum += dot(d_output, i, output, i);
                      }
                      return sum;
                  };
              }));

MISCONCEPTION(streaming_backward, row_sum_of_the_output,
              "the row's sum is output · output. It is d_output · output.",
              backward_with([](auto& b) {
                  b.row_sum = [](auto&, auto& output, auto&, auto i) {
                      return dot(output, i, output, i);
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_the_first_query,
              "the row's sum of the first query is used for all.", backward_with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto) {
                      return dot(d_output, 0, output, 0);
                  };
              }));

// ---- Into Q, K and V.

MISCONCEPTION(streaming_backward, root_forgotten,
              "d_Q and d_K are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, "
              "where 1 / 2 is 0. The scores were, so their gradients are.",
              backward_with([](auto& b) { b.root_in_d_Q = b.root_in_d_K = false; }));
MISCONCEPTION(streaming_backward, root_missing_in_d_Q, "d_Q is not divided by √d_k; d_K is.",
              backward_with([](auto& b) { b.root_in_d_Q = false; }));
MISCONCEPTION(streaming_backward, root_missing_in_d_K, "d_K is not divided by √d_k; d_Q is.",
              backward_with([](auto& b) { b.root_in_d_K = false; }));
constexpr const char* divided_again_and_again =
    "d_Q or d_K is divided by √d_k as a whole after every query, so that what earlier queries have "
    "put there is divided again and again. Divide d_score, or all of it once, at the end.";
MISCONCEPTION(streaming_backward, d_K_divided_with_every_query, divided_again_and_again,
              backward_with([](auto& b) { b.d_K_divided_with_every_query = true; }));
MISCONCEPTION(streaming_backward, d_Q_divided_with_every_query, divided_again_and_again,
              backward_with([](auto& b) { b.d_Q_divided_with_every_query = true; }));
MISCONCEPTION(streaming_backward, both_divided_with_every_query, divided_again_and_again,
              backward_with([](auto& b) {
                  b.d_Q_divided_with_every_query = b.d_K_divided_with_every_query = true;
              }));
MISCONCEPTION(streaming_backward, root_in_d_V,
              "d_V is divided by √d_k, too. V has nothing to do with the scores.",
              backward_with([](auto& b) { b.root_in_d_V = true; }));
MISCONCEPTION(streaming_backward, divided_by_d_k,
              "d_Q and d_K are divided by d_k: once too often by its root.",
              scored([](auto& p, double w) { return w * (p.d_weight - p.row_sum) / p.d_k; }));
MISCONCEPTION(streaming_backward, times_root,
              "d_Q and d_K are multiplied by √d_k. They are divided by it.",
              scored([](auto& p, double w) { return w * (p.d_weight - p.row_sum) * p.root; }));
MISCONCEPTION(streaming_backward, queries_and_keys_exchanged,
              "d_Q gets the queries and d_K the keys. A score is q · k: the gradient of q is k.",
              backward_with([](auto& b) { b.exchanged = true; }));
MISCONCEPTION(streaming_backward, d_V_without_weights,
              "d_V gets d_output as it is. Each value went into the output times its weight.",
              backward_with([](auto& b) { b.into_V = [](auto&, double) { return 1.0; }; }));
MISCONCEPTION(streaming_backward, d_V_from_d_scores,
              "d_V is made with d_score. It is the weight that multiplied the value.",
              backward_with([](auto& b) {
                  b.into_V = [](auto& p, double w) { return w * (p.d_weight - p.row_sum); };
              }));
MISCONCEPTION(streaming_backward, d_V_from_scaled_d_scores,
              "d_V is made with d_score. It is the weight that multiplied the value.",
              backward_with([](auto& b) {
                  b.into_V = [](auto& p, double w) {
                      return w * (p.d_weight - p.row_sum) / p.root;
                  };
              }));
MISCONCEPTION(streaming_backward, last_pair_alone,
              "gradients are written over and not added to: d_Q sums over the keys, d_K and d_V "
              "over the queries.",
              backward_with([](auto& b) { b.last_only = true; }));
MISCONCEPTION(streaming_backward, d_Q_twice, "d_Q is twice what it should be.",
              backward_with([](auto& b) { b.times_d_Q = 2; }));
MISCONCEPTION(streaming_backward, d_K_negative,
              "d_K has the wrong sign: each of its elements is negated.",
              backward_with([](auto& b) { b.times_d_K = -1; }));
MISCONCEPTION(streaming_backward, d_Q_negative,
              "d_Q has the wrong sign: each of its elements is negated.",
              backward_with([](auto& b) { b.times_d_Q = -1; }));
MISCONCEPTION(streaming_backward, d_K_not_computed, "d_K is 0 throughout: nothing is added to it.",
              backward_with([](auto& b) { b.times_d_K = 0; }));
MISCONCEPTION(streaming_backward, d_Q_not_computed,
              "d_Q is 0 throughout: nothing is added to it, or the query's own row is, whose "
              "factors sum to 0 over the keys. It is d_score times the key.",
              backward_with([](auto& b) { b.times_d_Q = 0; }));

MISCONCEPTION(streaming_backward, d_Q_of_the_last_key,
              "d_Q is written over and not added to: it sums over the keys.",
              backward_with([](auto& b) { b.last_only_Q = true; }));
MISCONCEPTION(streaming_backward, d_K_of_the_last_query,
              "d_K is written over and not added to: it sums over the queries.",
              backward_with([](auto& b) { b.last_only_K = true; }));
MISCONCEPTION(streaming_backward, d_V_of_the_last_query,
              "d_V is written over and not added to: it sums over the queries.",
              backward_with([](auto& b) { b.last_only_V = true; }));
MISCONCEPTION(streaming_backward, d_V_from_the_output,
              "d_V is made with the output. It is d_output, times the weight.",
              backward_with([](auto& b) { b.output_into_V = true; }));
MISCONCEPTION(streaming_backward, d_weight_from_the_output,
              "the gradient of a weight is made with the output. It is d_output · v.",
              backward_with([](auto& b) { b.output_for_d_weight = true; }));
MISCONCEPTION(streaming_backward, root_of_d_v,
              "scores and gradients are divided by √d_v. It is d_k, the components of a query.",
              backward_with([](auto& b) { b.root_of_d_v = true; }));
MISCONCEPTION(streaming_backward, root_of_one_more,
              "scores and gradients are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              backward_with([](auto& b) { b.root_of_one_more = true; }));
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
              backward_with([](auto& b) { b.into_V = [](auto&, double p) { return p * p; }; }));
MISCONCEPTION(streaming_backward, row_sum_of_its_own_value,
              "the row's sum is made of the value at the query's position, d_output · V(i). It is "
              "d_output · output: that row is the query's.",
              backward_with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto&, auto& V, auto i) {
                      return dot(d_output, i, V, std::min(i, V.shape(0) - 1));
                  };
              }));
MISCONCEPTION(streaming_backward, logsumexp_for_the_row_sum,
              "what is subtracted from d_weight is the logsumexp. That belongs into the weight; "
              "here it is the row's sum, d_output · output.",
              backward_with([](auto& b) {
                  b.d_score = [](auto& pair, double p) {
                      return p * (pair.d_weight - pair.logsumexp) / pair.root;
                  };
              }));
MISCONCEPTION(streaming_backward, d_weight_into_d_V,
              "d_V gets d_output times d_weight. It is the weight itself by which a value went "
              "into the output.",
              backward_with([](auto& b) {
                  b.into_V = [](auto& pair, double) { return pair.d_weight; };
              }));
MISCONCEPTION(
    streaming_backward, d_V_weighed_by_d_weight,
    "d_V gets d_output times the weight times d_weight. It is the weight alone by which a "
    "value went into the output.",
    backward_with([](auto& b) {
        b.into_V = [](auto& pair, double p) { return p * pair.d_weight; };
    }));
MISCONCEPTION(streaming_backward, d_weight_for_d_output_in_d_V,
              "every component of d_V gets the weight times d_weight, one number. It is the weight "
              "times d_output, a number for each component.",
              backward_with([](auto& b) {
                  b.number_into_V = true;
                  b.into_V = [](auto& pair, double p) { return p * pair.d_weight; };
              }));
MISCONCEPTION(streaming_backward, d_score_for_d_output_in_d_V,
              "every component of d_V gets d_score, one number. It is the weight times d_output, a "
              "number for each component.",
              backward_with([](auto& b) {
                  b.number_into_V = true;
                  b.into_V = [](auto& pair, double p) {
                      return p * (pair.d_weight - pair.row_sum) / pair.root;
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_d_output_squared,
              "the row's sum is d_output · d_output. It is d_output · output.",
              backward_with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto&, auto&, auto i) {
                      return dot(d_output, i, d_output, i);
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_kept_from_query_to_query,
              "the row's sum is added up over the queries. Each query begins with 0: look where it "
              "is declared.",
              backward_with([](auto& b) {
                  b.row_sum = [](auto& d_output, auto& output, auto&, auto i) {
                      double sum = 0;
                      for (std::size_t k = 0; k <= i; ++k) {
                          sum += dot(d_output, k, output, k);
                      }
                      return sum;
                  };
              }));
MISCONCEPTION(streaming_backward, row_sum_of_the_value,
              "D is made of d_output and of V_j here, which is the gradient of the weight itself: "
              "what is subtracted from it is the same once more, and d_Q and d_K are 0. D_i is "
              "d_output_i · output_i, with the forward pass's output.",
              scored([](auto&, double) { return 0.0; }));
MISCONCEPTION(streaming_backward, root_nowhere,
              "nothing is divided by √d_k: neither the scores, of which the weights come back, nor "
              "what goes into d_Q and d_K. The forward pass has softmax(Q Kᵀ / √d_k).",
              backward_with([](auto& b) {
                  b.weight = [](auto& pair) { return std::exp(pair.dot - pair.logsumexp); };
                  b.root_in_d_Q = b.root_in_d_K = false;
              }));
MISCONCEPTION(streaming_backward, row_sum_weighed_once_more,
              "the row's sum is multiplied by the weight before it is subtracted, and then again: "
              "p (g − Σ p g) has one p in front.",
              scored([](auto& p, double w) { return w * (p.d_weight - w * p.row_sum) / p.root; }));

} // namespace
