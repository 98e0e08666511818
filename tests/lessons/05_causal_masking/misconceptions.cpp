// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exports.hpp"
#include "plain.hpp"

using lesson::Attention;
using lesson::Mask;
using lesson::Matrix;
using lesson::Tensor3;
using plain::filled;
using plain::infinity;
using plain::mask_of;
using plain::Mechanism;
using plain::OptionalMask;

namespace {

// ---- 05.1 causal_mask

/// The mask with allowed(i, j) at (i, j).
template <class Allowed>
auto square(Allowed allowed) {
    return [=](std::size_t n) -> Mask {
        return mask_of(n, n, [=](std::size_t i, std::size_t j) {
            return allowed(static_cast<long>(i), static_cast<long>(j));
        });
    };
}

MISCONCEPTION(causal_mask, strict,
              "the diagonal is blocked: no position sees itself, and the first one sees nothing at "
              "all. What a position itself says is known when it asks, so i may attend to j = i.",
              square([](long i, long j) { return j < i; }));

MISCONCEPTION(causal_mask, upper_triangle,
              "this is the upper triangle: each position sees itself and the future. Rows are "
              "queries and columns are keys; query i may attend to keys up to i.",
              square([](long i, long j) { return j >= i; }));

MISCONCEPTION(causal_mask, inverted,
              "true and false have changed places: this marks what is to be blocked. In this "
              "course true means attend.",
              square([](long i, long j) { return j > i; }));

MISCONCEPTION(causal_mask, sees_the_next,
              "every position sees one too many, the very next: the one that it has to predict.",
              square([](long i, long j) { return j <= i + 1; }));

MISCONCEPTION(causal_mask, nothing_blocked,
              "nothing is blocked: every position sees the whole future. Where key j is later than "
              "query i, the mask has to be false.",
              square([](long, long) { return true; }));

// ---- 05.2 apply_mask and 05.4 additive_mask

/// A wrong function behind the check that stands in the stub.
template <class Wrong>
auto checked(Wrong wrong) {
    return [=](const Matrix& scores, const Mask& mask) -> Matrix {
        lesson::require_same_shape("a misconception", scores, mask);
        return wrong(scores, mask);
    };
}

/// changed(score, allowed) in place of each score.
template <class Changed>
auto each_score(Changed changed) {
    return checked([=](const Matrix& scores, const Mask& mask) {
        Matrix result = scores;
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                result(i, j) = changed(scores(i, j), mask(i, j));
            }
        }
        return result;
    });
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

MISCONCEPTION(apply_mask, zero_in_place_of_infinity,
              "blocked scores become 0 here, as they do in scores * mask. But 0 is a score like "
              "any other: exp(0) = 1, so the key still gets a weight, and more than one with a "
              "negative score. Only −∞ has an exponential of 0. (numeric_limits<double>::min() is "
              "2e-308, practically 0; numeric_limits<int>::infinity() is 0.)",
              each_score([](double score, bool allowed) { return allowed ? score : 0.0; }));

MISCONCEPTION(apply_mask, inverted_blocking,
              "the allowed scores are blocked, and the blocked ones kept. true means attend.",
              each_score([](double score, bool allowed) { return allowed ? -infinity : score; }));

MISCONCEPTION(apply_mask, finite_stand_in,
              "blocked scores become a large negative number, not −∞. That does where a row has "
              "something to attend to. Where all is blocked, the stand-ins compete with one "
              "another, and softmax shares everything out over keys that should get nothing. −∞ is "
              "-std::numeric_limits<double>::infinity().",
              each_score([](double score, bool allowed) { return allowed ? score : -1e9; }));

MISCONCEPTION(apply_mask, plus_infinity,
              "blocked scores become +∞, the best that there are. The sign is missing.",
              each_score([](double score, bool allowed) { return allowed ? score : infinity; }));

constexpr const char* zero_times_infinity =
    "where the mask allows there is NaN: 1 - mask is 0 there, and 0 · ∞ is not 0 but NaN. Choose "
    "between two values, with if, ?: or xt::where, rather than multiply.";

MISCONCEPTION(apply_mask, zero_times_infinity_added, zero_times_infinity,
              each_score([](double, bool allowed) { return allowed ? nan : -infinity; }));

MISCONCEPTION(apply_mask, times_minus_infinity,
              "blocked scores are multiplied by −∞: a negative one becomes +∞, the best of all, "
              "and a 0 becomes NaN. A blocked score is replaced, whatever it was.",
              each_score([](double score, bool allowed) {
                  return allowed ? score : score * -infinity;
              }));

MISCONCEPTION(apply_mask, blocked_as_nan,
              "blocked scores become NaN. One NaN in a row makes the maximum, the sum and with "
              "them all weights of the row NaN; −∞ takes part in a sum of exponentials as 0.",
              each_score([](double score, bool allowed) { return allowed ? score : nan; }));

MISCONCEPTION(apply_mask, mask_added,
              "this adds the mask itself, 1 or 0: allowed scores rise by 1, and nothing is "
              "blocked. The mask that can be added, 0 and −∞, is the subject of 05.4.",
              each_score([](double score, bool allowed) { return allowed ? score + 1 : score; }));

MISCONCEPTION(apply_mask, scores_untouched,
              "the scores come back as they went in. Look whether the function returns the copy "
              "that it changed, and changes it where the mask is false.",
              each_score([](double score, bool) { return score; }));

Mask causal_like(const Mask& mask) {
    return mask_of(mask.shape(0), mask.shape(1), [](auto i, auto j) { return j <= i; });
}

MISCONCEPTION(apply_mask, causal_whatever_the_mask,
              "this blocks the upper triangle, whatever the mask says. There are other masks than "
              "the causal one: ask mask(i, j).",
              checked([](auto& scores, auto& mask) {
                  return filled(scores, causal_like(mask), -infinity);
              }));

/// What to add where the mask allows, and where it blocks.
auto added(double allowed, double blocked) {
    return [=](const Mask& mask) -> Matrix {
        Matrix result = xt::zeros<double>({mask.shape(0), mask.shape(1)});
        return filled(result + allowed, mask, blocked);
    };
}

MISCONCEPTION(
    additive_mask, one_and_zero,
    "this is the mask as numbers, 1 and 0. Added to the scores, it raises the allowed ones by 1 "
    "and blocks nothing: what blocks is −∞, and what leaves a score alone is 0.",
    added(1, 0));

MISCONCEPTION(additive_mask, zero_and_minus_one,
              "this is mask - 1, that is 0 and -1. A blocked score falls by 1 and its weight to a "
              "third or so, not to 0; only −∞ takes it all.",
              added(0, -1));

MISCONCEPTION(additive_mask, one_and_minus_infinity,
              "this adds 1 to every allowed score. Softmax forgives that, because only differences "
              "matter; but what leaves a score as it is, is 0.",
              added(1, -infinity));

MISCONCEPTION(additive_mask, inverted_addition,
              "−∞ and 0 have changed places: the allowed scores are blocked. true means attend.",
              added(-infinity, 0));

MISCONCEPTION(additive_mask, finite_addition,
              "blocked places hold a large negative number, not −∞ (as −1e9 does, or the logarithm "
              "of a number that is only nearly 0). Where a whole row is blocked, all its scores "
              "are lowered alike, only differences matter, and nothing is blocked at all.",
              added(0, -1e9));

MISCONCEPTION(additive_mask, plus_infinity_added,
              "blocked places hold +∞, and would win every softmax. The sign is missing.",
              added(0, infinity));

MISCONCEPTION(additive_mask, zero_times_infinity_alone, zero_times_infinity, added(nan, -infinity));

// ---- 05.3 masked_softmax, and 05.5 where the same goes wrong inside attention

double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

#define WITHIN_ONE_SEQUENCE(name, explanation, ...)                                                \
    MISCONCEPTION(masked_softmax, name, explanation, checked(__VA_ARGS__));                        \
    MISCONCEPTION(scaled_dot_product_attention, name##_in_attention, explanation,                  \
                  Mechanism{.weigh = __VA_ARGS__})

WITHIN_ONE_SEQUENCE(
    nan_in_blocked_rows,
    "a row in which everything is blocked comes out as NaN. Its maximum is −∞, and −∞ − (−∞) is "
    "NaN; without the maximum it is 0 / 0. There is nothing to share out: such a row is 0.",
    [](auto& scores, auto& mask) { return oracle::softmax_rows(filled(scores, mask, -infinity)); });

WITHIN_ONE_SEQUENCE(uniform_in_blocked_rows,
                    "a row in which everything is blocked shares its attention out equally. That "
                    "is what a finite stand-in for −∞ makes of it: all its scores are alike. "
                    "Nothing is allowed there, so no key gets anything.",
                    [](auto& scores, auto& mask) {
                        return oracle::softmax_rows(filled(scores, mask, -1e9));
                    });

WITHIN_ONE_SEQUENCE(unmasked_in_blocked_rows,
                    "a row in which everything is blocked comes out as if nothing were. That is "
                    "what becomes of scores that all had one large number subtracted: only "
                    "differences matter. Nothing is allowed there, so no key gets anything.",
                    [](auto& scores, auto& mask) {
                        const Mask widened =
                            mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                                return mask(i, j) || plain::all_blocked(mask, i);
                            });
                        return oracle::softmax_rows(filled(scores, widened, -infinity));
                    });

WITHIN_ONE_SEQUENCE(finite_stand_in_and_zeroed_rows,
                    "blocked scores stand at some finite number, such as −1e9. Allowed ones may be "
                    "lower still, and then the blocked key wins. −∞ is lower than any of them.",
                    [](auto& scores, auto& mask) {
                        return plain::blocked_rows_zeroed(
                            oracle::softmax_rows(filled(scores, mask, -1e9)), mask);
                    });

WITHIN_ONE_SEQUENCE(
    zero_for_blocked_scores,
    "blocked scores were set to 0 before the softmax, as scores * mask does. exp(0) is 1, so "
    "blocked keys still get a weight. Only −∞ has an exponential of 0.",
    [](auto& scores, auto& mask) { return oracle::softmax_rows(filled(scores, mask, 0)); });

WITHIN_ONE_SEQUENCE(masked_afterwards,
                    "the mask comes after the softmax: blocked weights are 0, but what they had is "
                    "missing, and the rows do not sum to 1. Block the scores before the softmax, "
                    "and the sum is over what is left.",
                    [](auto& scores, auto& mask) {
                        return filled(oracle::softmax_rows(scores), mask, 0);
                    });

Matrix renormalised(const Matrix& scores, const Mask& mask) {
    const Matrix kept = filled(oracle::softmax_rows(scores), mask, 0);
    const Matrix sums = xt::sum(kept, {1}, xt::keep_dims);
    return kept / sums;
}

constexpr const char* blocked_scores_count =
    "blocked scores still take part, in the maximum or in the sum, before their weights are set to "
    "0. A blocked score far above the others then leaves them with exponentials of 0, and nothing "
    "to share. Block first, and take maximum and sum over what is left.";

WITHIN_ONE_SEQUENCE(renormalised_afterwards, blocked_scores_count, [](auto& scores, auto& mask) {
    return plain::blocked_rows_zeroed(renormalised(scores, mask), mask);
});

WITHIN_ONE_SEQUENCE(renormalised_or_zero, blocked_scores_count, [](auto& scores, auto& mask) {
    Matrix weights = renormalised(scores, mask);
    for (double& weight : weights) {
        weight = std::isnan(weight) ? 0 : weight;
    }
    return weights;
});

WITHIN_ONE_SEQUENCE(mask_ignored,
                    "the mask has no effect: this is the softmax of all scores. (Should you call "
                    "apply_mask: it returns the blocked scores, and leaves its argument alone.)",
                    [](auto& scores, auto&) { return oracle::softmax_rows(scores); });

WITHIN_ONE_SEQUENCE(
    mask_inverted,
    "what is allowed gets nothing, and what is blocked gets everything: true means attend.",
    [](auto& scores, auto& mask) { return plain::masked_softmax(scores, !mask); });

WITHIN_ONE_SEQUENCE(over_queries,
                    "the columns are shared out, not the rows. It is the query, a row, that shares "
                    "out its attention over the keys.",
                    [](auto& scores, auto& mask) -> Matrix {
                        return xt::transpose(
                            plain::masked_softmax(xt::transpose(scores), xt::transpose(mask)));
                    });

/// exp(s − reference) over its row's sum where the sum is not 0, and 0 where it is.
Matrix shares_or_zero(const Matrix& scores, const Mask& mask, double reference) {
    const Matrix terms = xt::exp(filled(scores, mask, -infinity) - reference);
    const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
    return terms / xt::where(xt::equal(sums, 0.0), 1.0, sums);
}

WITHIN_ONE_SEQUENCE(no_maximum_subtracted,
                    "exponentials are taken of the scores as they are: exp(1e4) is infinite, and "
                    "exp(-1e4) is 0, so that a row of such scores looks blocked. Subtract the "
                    "largest allowed score of the row first, as in lesson 03.",
                    [](auto& scores, auto& mask) { return shares_or_zero(scores, mask, 0); });

WITHIN_ONE_SEQUENCE(
    maximum_of_the_matrix,
    "one maximum, that of the whole matrix, is subtracted from every row. A row far below it has "
    "exponentials of 0 only, and looks blocked although it is not. Each row needs its own.",
    [](auto& scores, auto& mask) {
        const Matrix masked = filled(scores, mask, -infinity);
        const double maximum = std::accumulate(masked.begin(), masked.end(), -infinity,
                                               [](double a, double b) { return std::max(a, b); });
        return shares_or_zero(scores, mask, std::isfinite(maximum) ? maximum : 0);
    });

// ---- 05.5 scaled_dot_product_attention: what goes wrong around that

Matrix of_first(const Tensor3& tensor, std::size_t) {
    return plain::slice(tensor, 0);
}

MISCONCEPTION(scaled_dot_product_attention, not_scaled, "the scores are not divided by √d_k.",
              Mechanism{.divisor = [](auto&, auto&) { return 1.0; }});

MISCONCEPTION(scaled_dot_product_attention, scaled_twice,
              "the scores are divided by d_k, or twice by its root. attention::scaled_scores has "
              "divided by √d_k already.",
              Mechanism{.divisor = [](auto& Q, auto&) { return static_cast<double>(Q.shape(2)); }});

MISCONCEPTION(scaled_dot_product_attention, root_of_n_queries,
              "the scores are divided by √n_queries. With a batch in front every axis has moved: "
              "shape(1) counts queries now, and d_k is shape(2).",
              Mechanism{.divisor = [](auto& Q, auto&) { return root(Q.shape(1)); }});

MISCONCEPTION(scaled_dot_product_attention, root_of_n_keys,
              "the scores are divided by √n_keys. With a batch in front every axis has moved: "
              "shape(1) of K counts keys now, and d_k is shape(2).",
              Mechanism{.divisor = [](auto&, auto& K) { return root(K.shape(1)); }});

MISCONCEPTION(
    scaled_dot_product_attention, keys_of_the_first_sequence,
    "every sequence is compared with the keys of the first one: an index b is missing at K.",
    Mechanism{.key = of_first});

MISCONCEPTION(scaled_dot_product_attention, queries_of_the_first_sequence,
              "every sequence asks with the queries of the first one: an index b is missing at Q.",
              Mechanism{.query = of_first});

MISCONCEPTION(scaled_dot_product_attention, values_of_the_first_sequence,
              "the weights are right, but every sequence mixes the values of the first one: an "
              "index b is missing at V.",
              Mechanism{.value = of_first});

MISCONCEPTION(scaled_dot_product_attention, mask_of_the_first_sequence,
              "every sequence is masked with the mask of the first one. A mask of rank 3 may "
              "differ from sequence to sequence: attends(mask, b, i, j) wants the b of the loop.",
              Mechanism{.first_mask = true});

MISCONCEPTION(
    scaled_dot_product_attention, first_sequence_everywhere,
    "every sequence has the answer of the first one: the index b does not get into the loop.",
    Mechanism{.query = of_first, .key = of_first, .value = of_first, .first_mask = true});

MISCONCEPTION(scaled_dot_product_attention, always_causal,
              "this is causal whatever the mask says, and without one too. The caller decides who "
              "may see whom: ask attends(mask, b, i, j).",
              Mechanism{.weigh = [](auto& scores, auto& mask) {
                  return plain::masked_softmax(scores, causal_like(mask));
              }});

/// The right answer, spoilt.
template <class Spoil>
auto spoilt(Spoil spoil) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        Attention right = Mechanism{}(Q, K, V, mask);
        const Attention unmasked = Mechanism{}(Q, K, V, {});
        spoil(right, unmasked);
        return right;
    };
}

MISCONCEPTION(scaled_dot_product_attention, only_the_first_sequence,
              "only the first sequence is computed, the others stay 0. Look where the loop over b "
              "ends, or whether it returns too early.",
              spoilt([](auto& right, auto&) {
                  for (std::size_t b = 1; b < right.output.shape(0); ++b) {
                      xt::view(right.output, b, xt::all(), xt::all()) = 0;
                      xt::view(right.weights, b, xt::all(), xt::all()) = 0;
                  }
              }));

MISCONCEPTION(scaled_dot_product_attention, output_without_the_mask,
              "the weights are masked, but the output was mixed with weights that were not: it has "
              "seen what it must not. Multiply V by the masked weights.",
              spoilt([](auto& right, auto& unmasked) { right.output = unmasked.output; }));

MISCONCEPTION(scaled_dot_product_attention, weights_without_the_mask,
              "the output is right, but the weights that are returned beside it are those before "
              "masking. Return the ones that made the output.",
              spoilt([](auto& right, auto& unmasked) { right.weights = unmasked.weights; }));

} // namespace
