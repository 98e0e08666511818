// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.3 masked_softmax, and 05.5 where the same goes wrong inside attention

WITHIN_ONE_SEQUENCE(
    nan_in_blocked_rows,
    "a row in which everything is blocked comes out as NaN. Its maximum is −∞, and −∞ − (−∞) is "
    "NaN; without the maximum it is 0 / 0. All weights of such a row are 0.",
    [](auto& scores, auto& mask) { return oracle::softmax_rows(filled(scores, mask, -infinity)); });

WITHIN_ONE_SEQUENCE(
    uniform_in_blocked_rows,
    "a row in which everything is blocked gets equal weights, as with a finite number in place of "
    "−∞, where all its scores are equal. Nothing is allowed there: all weights are 0.",
    [](auto& scores, auto& mask) { return oracle::softmax_rows(filled(scores, mask, -1e9)); });

WITHIN_ONE_SEQUENCE(unmasked_in_blocked_rows,
                    "a row in which everything is blocked gets the weights that it has without a "
                    "mask, as when one large number is subtracted from all scores: only "
                    "differences matter. Nothing is allowed there: all weights are 0.",
                    [](auto& scores, auto& mask) {
                        const Mask widened =
                            mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                                return mask(i, j) || plain::all_blocked(mask, i);
                            });
                        return oracle::softmax_rows(filled(scores, widened, -infinity));
                    });

constexpr const char* small_weights_dropped =
    "small weights are set to 0. A row sums to less than 1 then, and a large value with a small "
    "weight is lost: leave them as they are.";

/// Weights below `least` dropped, "because they do not matter".
auto dropped_below(double least) {
    return [=](const Matrix& scores, const Mask& mask) {
        const Matrix weights = plain::masked_softmax(scores, mask);
        return zero_unless(weights, [&](auto i, auto j) { return weights(i, j) >= least; });
    };
}

WITHIN_ONE_SEQUENCE(weights_below_1e_4_dropped, small_weights_dropped, dropped_below(1e-4));
MISCONCEPTION(scaled_dot_product_attention, weights_below_1e_6_dropped_in_attention,
              small_weights_dropped, Mechanism{.weigh = dropped_below(1e-6)});
WITHIN_ONE_SEQUENCE(weights_below_1e_8_dropped, small_weights_dropped, dropped_below(1e-8));
MISCONCEPTION(scaled_dot_product_attention, weights_below_1e_9_dropped_in_attention,
              small_weights_dropped, Mechanism{.weigh = dropped_below(1e-9)});
MISCONCEPTION(scaled_dot_product_attention, weights_below_1e_10_dropped_in_attention,
              small_weights_dropped, Mechanism{.weigh = dropped_below(1e-10)});
MISCONCEPTION(scaled_dot_product_attention, weights_below_1e_12_dropped_in_attention,
              small_weights_dropped, Mechanism{.weigh = dropped_below(1e-12)});
MISCONCEPTION(scaled_dot_product_attention, weights_below_1e_15_dropped_in_attention,
              small_weights_dropped, Mechanism{.weigh = dropped_below(1e-15)});
MISCONCEPTION(scaled_dot_product_attention, weights_below_1e_30_dropped_in_attention,
              small_weights_dropped, Mechanism{.weigh = dropped_below(1e-30)});

constexpr const char* finite_stand_in =
    "blocked scores are some finite number, such as −1e9. Allowed scores may be lower, and then a "
    "blocked key gets the weight. −∞ is lower than all of them.";

constexpr const char* finite_stand_in_then_zero =
    "some finite number, such as −1e9 or −1e30, stands for −∞: either it is what a row's maximum "
    "is searched from, or what takes the place of blocked scores, whose weights are 0 only "
    "afterwards. Allowed scores may be as low as that, or lower, and then their row comes out as "
    "0, or with too little in it. Begin the maximum at −∞, and block with −∞: that is lower than "
    "all of them.";

/// The blocked rows made 0 afterwards, or every blocked weight.
auto standing_at(double stand_in, bool every_blocked) {
    return [=](const Matrix& scores, const Mask& mask) {
        const Matrix weights = oracle::softmax_rows(filled(scores, mask, stand_in));
        return every_blocked ? filled(weights, mask, 0) : plain::blocked_rows_zeroed(weights, mask);
    };
}

/// Blocked scores lowered by a number and not replaced, and the blocked rows made 0 afterwards.
auto lowered_by(double number) {
    return [=](const Matrix& scores, const Mask& mask) {
        Matrix lowered = scores;
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                lowered(i, j) -= mask(i, j) ? 0 : number;
            }
        }
        return plain::blocked_rows_zeroed(oracle::softmax_rows(lowered), mask);
    };
}

constexpr const char* says_lowered =
    "blocked scores are lowered by some number, such as 1e9, and not replaced. One that lies "
    "farther above the others still takes the row. Nothing lies above −∞.";

WITHIN_ONE_SEQUENCE(lowered_by_1e4, says_lowered, lowered_by(1e4));
WITHIN_ONE_SEQUENCE(lowered_by_1e6, says_lowered, lowered_by(1e6));
WITHIN_ONE_SEQUENCE(lowered_by_1e9, says_lowered, lowered_by(1e9));
MISCONCEPTION(masked_softmax, lowered_by_1e12, says_lowered, checked(lowered_by(1e12)));
MISCONCEPTION(masked_softmax, lowered_by_1e20, says_lowered, checked(lowered_by(1e20)));
WITHIN_ONE_SEQUENCE(lowered_by_1e30, says_lowered, lowered_by(1e30));
WITHIN_ONE_SEQUENCE(lowered_by_1e38, says_lowered, lowered_by(3.4e38));
WITHIN_ONE_SEQUENCE(lowered_by_1e300, says_lowered, lowered_by(1e300));
MISCONCEPTION(masked_softmax, lowered_by_the_largest_double, says_lowered,
              checked(lowered_by(std::numeric_limits<double>::max())));

MISCONCEPTION(masked_softmax, stand_in_1e4, finite_stand_in, checked(standing_at(-1e4, false)));
WITHIN_ONE_SEQUENCE(stand_in_1e9, finite_stand_in, standing_at(-1e9, false));
WITHIN_ONE_SEQUENCE(stand_in_1e30, finite_stand_in, standing_at(-1e30, false));
WITHIN_ONE_SEQUENCE(stand_in_1e38, finite_stand_in, standing_at(-3.4e38, false));
MISCONCEPTION(masked_softmax, stand_in_1e4_times_mask, finite_stand_in_then_zero,
              checked(standing_at(-1e4, true)));
WITHIN_ONE_SEQUENCE(stand_in_1e9_times_mask, finite_stand_in_then_zero, standing_at(-1e9, true));
WITHIN_ONE_SEQUENCE(stand_in_1e30_times_mask, finite_stand_in_then_zero, standing_at(-1e30, true));
WITHIN_ONE_SEQUENCE(stand_in_1e38_times_mask, finite_stand_in_then_zero,
                    standing_at(-3.4e38, true));

constexpr const char* says_maximum_in_float =
    "the maximum of a row is kept in a float, which ends at 3.4e38: one of 1e300 or -1e300 becomes "
    "infinite, and the weights of its row NaN or 0. Keep it in a double, like the scores.";

/// Blocked rows are known by their maximum, or else by their sum.
auto with_maximum_in_float(bool by_maximum) {
    return [=](const Matrix& scores, const Mask& mask) {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            double maximum = -infinity;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                maximum = mask(i, j) ? std::max(maximum, scores(i, j)) : maximum;
            }
            maximum = std::abs(maximum) > std::numeric_limits<float>::max()
                          ? std::copysign(infinity, maximum)
                          : static_cast<double>(static_cast<float>(maximum));
            double sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
                sum += weights(i, j);
            }
            const bool blocked = by_maximum ? maximum == -infinity : sum == 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = blocked ? 0 : weights(i, j) / sum;
            }
        }
        return weights;
    };
}
MISCONCEPTION(masked_softmax, maximum_in_float, says_maximum_in_float,
              checked(with_maximum_in_float(true)));
MISCONCEPTION(masked_softmax, maximum_in_float_beside_the_sum, says_maximum_in_float,
              checked(with_maximum_in_float(false)));

WITHIN_ONE_SEQUENCE(ends_at_the_first_blocked_key,
                    "a row ends at its first blocked key, as it does under a causal mask. Keys "
                    "that are allowed may "
                    "follow: go on to the next key (continue), and do not leave the loop (break).",
                    [](auto& scores, auto& mask) {
                        Mask before = mask;
                        for (std::size_t i = 0; i < mask.shape(0); ++i) {
                            for (std::size_t j = 1; j < mask.shape(1); ++j) {
                                before(i, j) = before(i, j - 1) && mask(i, j);
                            }
                        }
                        return plain::masked_softmax(scores, before);
                    });

WITHIN_ONE_SEQUENCE(
    zero_for_blocked_scores,
    "blocked scores were set to 0 before the softmax, as scores * mask does. exp(0) is 1, so "
    "blocked keys still get a weight. Only −∞ has an exponential of 0.",
    [](auto& scores, auto& mask) { return oracle::softmax_rows(filled(scores, mask, 0)); });

WITHIN_ONE_SEQUENCE(zero_for_blocked_scores_and_zeroed,
                    "blocked scores were set to 0 before the softmax, and their weights to 0 after "
                    "it. But exp(0) = 1 took part in the sum for each of them, and rows do not sum "
                    "to 1. Only −∞ has an exponential of 0.",
                    [](auto& scores, auto& mask) {
                        return filled(oracle::softmax_rows(filled(scores, mask, 0)), mask, 0);
                    });

WITHIN_ONE_SEQUENCE(masked_afterwards,
                    "the mask is applied after the softmax: blocked weights are 0, but the rows do "
                    "not sum to 1. Block the scores before the softmax.",
                    [](auto& scores, auto& mask) {
                        return filled(oracle::softmax_rows(scores), mask, 0);
                    });

Matrix renormalised(const Matrix& scores, const Mask& mask) {
    const Matrix kept = filled(oracle::softmax_rows(scores), mask, 0);
    const Matrix sums = xt::sum(kept, {1}, xt::keep_dims);
    return kept / sums;
}

constexpr const char* blocked_scores_count =
    "blocked scores are still in the maximum or in the sum, before their weights are set to 0. If "
    "a blocked score is far above the others, all their exponentials are 0. Block first, and take "
    "maximum and sum over what is left.";

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

WITHIN_ONE_SEQUENCE(
    over_queries,
    "the columns sum to 1, not the rows. Softmax runs along a row, over the keys of a query.",
    [](auto& scores, auto& mask) -> Matrix {
        return xt::transpose(plain::masked_softmax(xt::transpose(scores), xt::transpose(mask)));
    });

WITHIN_ONE_SEQUENCE(
    maximum_starts_at_the_first_score,
    "the maximum of a row starts at its first score, also where that is blocked. If it is far "
    "above "
    "the scores that are allowed, all their exponentials are 0. Start at -infinity.",
    [](auto& scores, auto& mask) {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0) && scores.shape(1) > 0; ++i) {
            double maximum = scores(i, 0), sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                maximum = mask(i, j) ? std::max(maximum, scores(i, j)) : maximum;
            }
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
                sum += weights(i, j);
            }
            for (std::size_t j = 0; j < scores.shape(1) && sum > 0; ++j) {
                weights(i, j) /= sum;
            }
        }
        return weights;
    });

} // namespace
