// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// views, lists of indices and lazy expressions do something else than in another language.

#include "exports.hpp"
#include "support/misread.hpp"
#include "wrong.hpp"

namespace misconceptions_views {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

// ---- Two lists of indices

constexpr const char* says_no_pairs =
    "a place is blocked if there is something to block in its row and something to block in its "
    "column: every row of one list is combined with every column of another. Two lists in a view, "
    "xt::keep(rows) and xt::keep(columns), are no pairs, as they are in NumPy. Block one place "
    "after the other, where mask(i, j) is false.";

Mask blocked_in_combinations(const Mask& mask) {
    std::vector<bool> rows(mask.shape(0), false), columns(mask.shape(1), false);
    for (S i = 0; i < mask.shape(0); ++i) {
        for (S j = 0; j < mask.shape(1); ++j) {
            rows[i] = rows[i] || !mask(i, j);
            columns[j] = columns[j] || !mask(i, j);
        }
    }
    return mask_of(mask.shape(0), mask.shape(1), [&](S i, S j) { return !rows[i] || !columns[j]; });
}

MISCONCEPTION(causal_mask, blocked_in_combinations_at_once, says_no_pairs,
              [](S n) { return blocked_in_combinations(plain::causal_mask(n)); });
MASK_READ_WRONGLY(every_combination_blocked, says_no_pairs, blocked_in_combinations);
MISCONCEPTION(scaled_dot_product_attention, every_combination_blocked_in_attention, says_no_pairs,
              Mechanism{.weigh = [](M scores, const Mask& mask) {
                  return plain::masked_softmax(scores, blocked_in_combinations(mask));
              }});

// ---- A view that is assigned to

MISCONCEPTION(causal_mask, all_written_to_row_0, misread::says_row_0,
              [](S n) { return mask_of(n, n, [](S i, S) { return i == 0; }); });
MISCONCEPTION(apply_mask, all_written_to_row_0_of_the_scores, misread::says_row_0,
              checked([](M scores, const Mask& mask) {
                  return misread::last_at_the_top(filled(scores, mask, -infinity), scores);
              }));
MISCONCEPTION(apply_mask, all_written_to_row_0_of_zeros, misread::says_row_0,
              checked([](M scores, const Mask& mask) {
                  return misread::last_at_the_top(filled(scores, mask, -infinity),
                                                  misread::zeros_like(scores));
              }));
MISCONCEPTION(additive_mask, all_added_in_row_0, misread::says_row_0, [](const Mask& mask) {
    const Matrix zeros = xt::zeros<double>({mask.shape(0), mask.shape(1)});
    return misread::last_at_the_top(filled(zeros, mask, -infinity), zeros);
});
WITHIN_ONE_SEQUENCE(all_weights_in_row_0, misread::says_row_0, [](M scores, const Mask& mask) {
    return misread::last_at_the_top(plain::masked_softmax(scores, mask),
                                    misread::zeros_like(scores));
});
WITHIN_ONE_SEQUENCE(all_weights_in_row_0_of_the_scores, misread::says_row_0,
                    [](M scores, const Mask& mask) {
                        return misread::last_at_the_top(plain::masked_softmax(scores, mask),
                                                        filled(scores, mask, -infinity));
                    });

// ---- Ranges that end one too early

MISCONCEPTION(causal_mask, last_position_seen_by_all,
              "every position sees the last one: the range that is blocked ends before it. In "
              "xt::range(i + 1, -1) the last column is left out, and in xt::range(i + 1, n - 1) as "
              "well; xt::range(i + 1, n) goes to the end.",
              [](S n) { return mask_of(n, n, [=](S i, S j) { return j <= i || j + 1 == n; }); });

#define BLOCKED_ONLY_WHERE(name, explanation, ...)                                                 \
    MISCONCEPTION(apply_mask, name, explanation, checked([](auto& scores, auto& mask) {            \
                      return filled(scores, asked_only(mask, __VA_ARGS__), -infinity);             \
                  }));                                                                             \
    MISCONCEPTION(additive_mask, name##_added, explanation, [](const Mask& mask) -> Matrix {       \
        return filled(xt::zeros<double>({mask.shape(0), mask.shape(1)}),                           \
                      asked_only(mask, __VA_ARGS__), -infinity);                                   \
    })

BLOCKED_ONLY_WHERE(
    first_place_never_blocked,
    "the very first place, (0, 0), is never blocked: a loop begins at 1, or runs backwards and "
    "ends before 0, as for (k = size - 1; k > 0; --k) does. Write for (k = size; k-- > 0;).",
    [](auto i, auto j) { return i + j > 0; });
BLOCKED_ONLY_WHERE(last_place_never_blocked,
                   "the very last place is never blocked: a loop over all places ends one too "
                   "early. They count from 0 to size() - 1.",
                   [&](auto i, auto j) { return i + 1 < mask.shape(0) || j + 1 < mask.shape(1); });

// ---- A question to the whole mask

WITHIN_ONE_SEQUENCE(
    zero_only_if_all_is_blocked,
    "whether anything is allowed is asked of the whole mask, as xt::any(mask) does, and not of "
    "each row. A row in which everything is blocked, beside others, comes out as NaN: its maximum "
    "is −∞, and −∞ − (−∞) is NaN. Ask each row, and let its weights be 0.",
    [](M scores, const Mask& mask) {
        Matrix weights = plain::masked_softmax(scores, mask);
        bool any = false;
        for (S i = 0; i < mask.shape(0); ++i) {
            any = any || !plain::all_blocked(mask, i);
        }
        for (S i = 0; i < mask.shape(0); ++i) {
            for (S j = 0; any && plain::all_blocked(mask, i) && j < mask.shape(1); ++j) {
                weights(i, j) = not_a_number;
            }
        }
        return weights;
    });

// ---- What is computed anew whenever it is asked for, after what it is computed from has changed

/// Softmax in place by `change` of the scores of each row that are allowed, 0 where blocked.
auto softmax_by(void (*change)(double* row, S n)) {
    return [=](M scores, const Mask& mask) {
        Matrix weights = misread::zeros_like(scores);
        for (S i = 0; i < scores.shape(0); ++i) {
            Matrix row = xt::view(filled(scores, mask, -infinity), xt::range(i, i + 1));
            if (!plain::all_blocked(mask, i)) {
                change(row.data(), row.size());
                xt::view(weights, xt::range(i, i + 1)) = row;
            }
        }
        return weights;
    };
}

WITHIN_ONE_SEQUENCE(sum_taken_while_dividing, misread::says_sum_while_dividing,
                    softmax_by(misread::softmax_divided_while_summing));
WITHIN_ONE_SEQUENCE(maximum_taken_while_changing, misread::says_maximum_while_changing,
                    softmax_by(misread::shift_while_changing));
WITHIN_ONE_SEQUENCE(exponentials_of_exponentials_summed, misread::says_exponentials_of_exponentials,
                    softmax_by(misread::softmax_by_exponentials_of_exponentials));

// ---- A root that is nearly a whole number

MISCONCEPTION(scaled_dot_product_attention, root_whole_within_0_01,
              "a root of d_k that is nearly a whole number is taken for one. It is none where d_k "
              "is no square: √2501 is not 50. Leave the rounding out.",
              Mechanism{.divisor = [](auto& Q, auto&) {
                  const double whole = std::round(root(Q.shape(2)));
                  return std::abs(root(Q.shape(2)) - whole) < 0.01 ? whole : root(Q.shape(2));
              }});

// ---- What else is made of the mask

/// The share of the blocked keys, after a softmax over all, goes to the allowed ones in equal
/// parts.
Matrix blocked_share_in_equal_parts(M scores, const Mask& mask) {
    Matrix weights = oracle::softmax_rows(scores);
    for (S i = 0; i < mask.shape(0); ++i) {
        double blocked = 0, allowed = 0;
        for (S j = 0; j < mask.shape(1); ++j) {
            blocked += mask(i, j) ? 0 : weights(i, j);
            allowed += mask(i, j) ? 1 : 0;
        }
        for (S j = 0; j < mask.shape(1); ++j) {
            weights(i, j) = mask(i, j) ? weights(i, j) + blocked / allowed : 0;
        }
    }
    return weights;
}

WITHIN_ONE_SEQUENCE(blocked_share_in_equal_parts,
                    "after a softmax over all keys, what the blocked ones had is given to the "
                    "allowed ones in equal parts. Their weights stay in proportion to their own "
                    "exponentials: leave the blocked ones out of the sum.",
                    misconceptions_views::blocked_share_in_equal_parts);

WITHIN_ONE_SEQUENCE(
    stretched_by_how_many_are_left,
    "after a softmax over all keys, the allowed weights are multiplied by n_keys / allowed, as "
    "dropout does. Their row does not sum to 1: divide by the sum of the exponentials that are "
    "left.",
    [](M scores, const Mask& mask) {
        Matrix weights = oracle::softmax_rows(scores);
        for (S i = 0; i < mask.shape(0); ++i) {
            double allowed = 0;
            for (S j = 0; j < mask.shape(1); ++j) {
                allowed += mask(i, j) ? 1 : 0;
            }
            for (S j = 0; j < mask.shape(1); ++j) {
                const double stretched =
                    weights(i, j) * static_cast<double>(mask.shape(1)) / allowed;
                weights(i, j) = mask(i, j) ? stretched : 0;
            }
        }
        return weights;
    });

MISCONCEPTION(additive_mask, logarithm_of_equal_shares,
              "this is the logarithm of equal shares: -ln(number of allowed keys) where 0 belongs. "
              "A softmax does not notice, but what is added to an allowed score is 0: it stays as "
              "it is.",
              [](const Mask& mask) {
                  Matrix result = Matrix::from_shape({mask.shape(0), mask.shape(1)});
                  for (S i = 0; i < mask.shape(0); ++i) {
                      double allowed = 0;
                      for (S j = 0; j < mask.shape(1); ++j) {
                          allowed += mask(i, j) ? 1 : 0;
                      }
                      for (S j = 0; j < mask.shape(1); ++j) {
                          result(i, j) = mask(i, j) ? -std::log(allowed) : -infinity;
                      }
                  }
                  return result;
              });

// ---- Scores that are nearly equal

/// Equal weights where no two allowed scores of a row differ by more than that.
auto equal_within(double bound) {
    return [=](M scores, const Mask& mask) {
        Matrix taken = scores;
        for (S i = 0; i < scores.shape(0); ++i) {
            double least = infinity, most = -infinity;
            for (S j = 0; j < scores.shape(1); ++j) {
                least = mask(i, j) ? std::min(least, scores(i, j)) : least;
                most = mask(i, j) ? std::max(most, scores(i, j)) : most;
            }
            for (S j = 0; most - least < bound && j < scores.shape(1); ++j) {
                taken(i, j) = 0;
            }
        }
        return plain::masked_softmax(taken, mask);
    };
}

constexpr const char* says_equal_within =
    "scores that are nearly equal are taken as equal. Then weights that differ by little come out "
    "the same: leave the comparison out, since the formula is right for equal scores, too.";

WITHIN_ONE_SEQUENCE(equal_within_1e_3, says_equal_within, equal_within(1e-3));
WITHIN_ONE_SEQUENCE(equal_within_1e_5, says_equal_within, equal_within(1e-5));
MISCONCEPTION(masked_softmax, equal_within_1e_7, says_equal_within, checked(equal_within(1e-7)));
MISCONCEPTION(masked_softmax, equal_within_1e_8, says_equal_within, checked(equal_within(1e-8)));
MISCONCEPTION(masked_softmax, equal_within_1e_9, says_equal_within, checked(equal_within(1e-9)));

// ---- The number of axes

constexpr const char* says_number_of_axes =
    "this divides by the root of dimension(), the number of axes: 2 for every matrix and 3 for a "
    "batch of them. d_k is the number of components, the size of the last axis: Q.shape(2).";

MISCONCEPTION(scaled_dot_product_attention, root_of_the_number_of_axes, says_number_of_axes,
              Mechanism{.divisor = [](auto&, auto&) { return root(3); }});
MISCONCEPTION(scaled_dot_product_attention, root_of_the_axes_of_a_matrix, says_number_of_axes,
              Mechanism{.divisor = [](auto&, auto&) { return root(2); }});

} // namespace

} // namespace misconceptions_views
