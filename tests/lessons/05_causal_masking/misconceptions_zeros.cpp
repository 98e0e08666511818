// Wrong versions that take a 0 for nothing, or treat the smallest sizes apart.

#include "exports.hpp"
#include "support/at_zero.hpp"
#include "wrong.hpp"

namespace misconceptions_zeros {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

/// A mask that allows, beyond or short of the learner's, what allowed(scores, mask, i, j) says.
template <class Allowed>
auto with_mask(Allowed allowed) {
    return [allowed](M scores, const Mask& mask) {
        return plain::masked_softmax(
            scores, mask_of(mask.shape(0), mask.shape(1),
                            [&](auto i, auto j) { return allowed(scores, mask, i, j); }));
    };
}

bool zero_before(M scores, S i, S j) {
    for (S k = 0; k <= j; ++k) {
        if (scores(i, k) == 0) {
            return true;
        }
    }
    return false;
}

// ---- 05.1

MISCONCEPTION(causal_mask, single_position_blocked,
              "a position that is alone sees nothing. It sees itself.",
              [](S n) -> Mask { return n == 1 ? Mask{{false}} : plain::causal_mask(n); });
MISCONCEPTION(causal_mask, first_position_only_sees_all,
              "the first position sees all, as if there were nothing to hide from it. It sees "
              "itself alone: the others come later.",
              [](S n) -> Mask {
                  return mask_of(n, n, [](auto i, auto j) { return i == 0 || j <= i; });
              });
MISCONCEPTION(causal_mask, last_position_does_not_see_itself,
              "the last position does not see itself: a loop ends one too early.", [](S n) -> Mask {
                  Mask mask = plain::causal_mask(n);
                  mask(n - 1, n - 1) = false;
                  return mask;
              });

// ---- 05.2 and 05.4

MISCONCEPTION(apply_mask, single_key_not_masked,
              "the score of a single key stays, blocked or not. One key is masked like several.",
              checked([](M scores, const Mask& mask) {
                  return scores.shape(1) == 1 ? scores : filled(scores, mask, -infinity);
              }));
MISCONCEPTION(
    apply_mask, single_query_not_masked,
    "the scores of a single query stay, blocked or not. One query is masked like several.",
    checked([](M scores, const Mask& mask) {
        return scores.shape(0) == 1 ? scores : filled(scores, mask, -infinity);
    }));
MISCONCEPTION(apply_mask, zeros_not_blocked,
              "a blocked score of 0 stays 0: the mask is multiplied by the score, as in 0 · −∞, or "
              "only scores that are not 0 are looked at. A blocked one becomes −∞ whatever it was.",
              checked([](M scores, const Mask& mask) {
                  return filled(
                      scores,
                      mask_of(mask.shape(0), mask.shape(1),
                              [&](auto i, auto j) { return mask(i, j) || scores(i, j) == 0; }),
                      -infinity);
              }));
MISCONCEPTION(apply_mask, negatives_not_blocked,
              "a blocked score below 0 stays: it is told by its sign whether there is something to "
              "block. A blocked one becomes −∞ whatever it was.",
              checked([](M scores, const Mask& mask) {
                  return filled(
                      scores,
                      mask_of(mask.shape(0), mask.shape(1),
                              [&](auto i, auto j) { return mask(i, j) || scores(i, j) < 0; }),
                      -infinity);
              }));

MISCONCEPTION(additive_mask, single_key_allowed,
              "a single key gets 0, blocked or not. One key is masked like several.",
              [](const Mask& mask) -> Matrix {
                  const Matrix zeros = xt::zeros<double>(mask.shape());
                  return mask.shape(1) == 1 ? zeros : filled(zeros, mask, -infinity);
              });
MISCONCEPTION(additive_mask, single_query_allowed,
              "a single query gets 0 everywhere, blocked or not. One query is masked like several.",
              [](const Mask& mask) -> Matrix {
                  const Matrix zeros = xt::zeros<double>(mask.shape());
                  return mask.shape(0) == 1 ? zeros : filled(zeros, mask, -infinity);
              });
// ---- 05.3, and in 05.5

WITHIN_ONE_SEQUENCE(
    zero_score_blocked,
    "an allowed key whose score is 0 gets the weight 0, as if it were blocked. What "
    "is blocked the mask says: 0 is a score like any other.",
    with_mask([](M scores, const Mask& mask, S i, S j) {
        return mask(i, j) && scores(i, j) != 0;
    }));
WITHIN_ONE_SEQUENCE(row_ends_at_zero_score,
                    "a score of 0 ends its row: that key and those after it get the weight 0. 0 is "
                    "a score like any other.",
                    with_mask([](M scores, const Mask& mask, S i, S j) {
                        return mask(i, j) && !zero_before(scores, i, j);
                    }));
WITHIN_ONE_SEQUENCE(single_key_not_masked,
                    "a single key gets the weight 1, although it may be blocked. One key is masked "
                    "like several: a row in which all is blocked is 0.",
                    with_mask([](M, const Mask& mask, S i, S j) {
                        return mask(i, j) || mask.shape(1) == 1;
                    }));
WITHIN_ONE_SEQUENCE(single_query_not_masked,
                    "a single query sees every key, although some are blocked. One query is masked "
                    "like several: the causal mask is one of many.",
                    with_mask([](M, const Mask& mask, S i, S j) {
                        return mask(i, j) || mask.shape(0) == 1;
                    }));
WITHIN_ONE_SEQUENCE(begins_at_the_first_allowed_key,
                    "the keys before the first allowed one are left out, and no other: once a key "
                    "is allowed, all after it are.",
                    with_mask([](M, const Mask& mask, S i, S j) {
                        bool allowed = false;
                        for (S k = 0; k <= j; ++k) {
                            allowed = allowed || mask(i, k);
                        }
                        return allowed;
                    }));
WITHIN_ONE_SEQUENCE(
    row_of_zeros_gets_nothing,
    "a row of scores that are all 0 gets the weights 0. Equal scores share equally, "
    "whatever they are: exp(0) is 1.",
    with_mask([](M scores, const Mask& mask, S i, S j) {
        bool any = false;
        for (S k = 0; k < scores.shape(1); ++k) {
            any = any || scores(i, k) != 0;
        }
        return mask(i, j) && any;
    }));

// ---- 05.5

/// The scores in loops that ask `at` what to do at each product.
template <class At>
auto scoring(At at) {
    return [at](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        lesson::require_fit(Q, K, V, mask);
        Attention result = Mechanism{}(Q, K, V, mask);
        for (S b = 0; b < Q.shape(0); ++b) {
            const Matrix scores =
                at_zero::product_transposed(plain::slice(Q, b), plain::slice(K, b), at) /
                root(Q.shape(2));
            const Matrix weights = plain::masked_softmax(
                scores, plain::mask_of_sequence(mask, b, Q.shape(1), K.shape(1)));
            xt::view(result.weights, b, xt::all(), xt::all()) = weights;
            xt::view(result.output, b, xt::all(), xt::all()) =
                oracle::matmul(weights, plain::slice(V, b));
        }
        return result;
    };
}

MISCONCEPTION(scaled_dot_product_attention, score_ends_at_zero_in_query,
              "a score ends at a component of the query that is 0: break where continue was meant. "
              "A 0 adds nothing, and what comes after it counts.",
              scoring(at_zero::end_at_zero_left));
MISCONCEPTION(scaled_dot_product_attention, score_ends_at_zero_in_key,
              "a score ends at a component of the key that is 0: break where continue was meant. A "
              "0 adds nothing, and what comes after it counts.",
              scoring(at_zero::end_at_zero_right));
MISCONCEPTION(scaled_dot_product_attention, mixture_ends_at_zero_weight,
              "a mixture ends at the first weight of 0: break where continue was meant. A blocked "
              "key adds nothing, and those after it count.",
              Mechanism{.mix = [](M weights, M V) {
                  return at_zero::product(weights, V, at_zero::end_at_zero_left);
              }});
MISCONCEPTION(
    scaled_dot_product_attention, mixture_ends_at_zero_value,
    "a mixture ends at the first value that is 0 in a component: break where continue was "
    "meant. It adds nothing, and the values after it count.",
    Mechanism{.mix = [](M weights, M V) {
        return at_zero::product(weights, V, at_zero::end_at_zero_right);
    }});
MISCONCEPTION(scaled_dot_product_attention, single_query_not_scaled,
              "the scores of a single query are not divided. However many queries there are, a "
              "score is divided by √d_k.",
              Mechanism{.divisor = [](auto& Q, auto&) {
                  return Q.shape(1) == 1 ? 1 : root(Q.shape(2));
              }});
MISCONCEPTION(scaled_dot_product_attention, single_sequence_not_masked,
              "in a batch of a single sequence nothing is blocked. One sequence is masked like "
              "several.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::require_fit(Q, K, V, mask);
                  return Mechanism{}(Q, K, V, Q.shape(0) == 1 ? OptionalMask{} : mask);
              });
MISCONCEPTION(scaled_dot_product_attention, keys_of_zeros_taken_for_padding,
              "a key of nothing but 0 is taken for padding, and blocked. What is blocked the mask "
              "says: a key of zeros scores 0, as others may.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::require_fit(Q, K, V, mask);
                  xt::xarray<bool> blocked = xt::ones<bool>({Q.shape(0), Q.shape(1), K.shape(1)});
                  for (S b = 0; b < Q.shape(0); ++b) {
                      for (S j = 0; j < K.shape(1); ++j) {
                          const bool any =
                              xt::any(xt::not_equal(xt::view(K, b, j, xt::all()), 0.0));
                          for (S i = 0; i < Q.shape(1); ++i) {
                              blocked(b, i, j) = any && lesson::attends(mask, b, i, j);
                          }
                      }
                  }
                  return Mechanism{}(Q, K, V, blocked);
              });

} // namespace

} // namespace misconceptions_zeros
