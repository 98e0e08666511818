// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.2 apply_mask and 05.4 additive_mask

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

MISCONCEPTION(apply_mask, zero_in_place_of_infinity,
              "blocked scores become 0 here, as they do in scores * mask. But 0 is a score like "
              "any other: exp(0) = 1, so the key still gets a weight, and more than one with a "
              "negative score. Only −∞ has an exponential of 0. (numeric_limits<double>::min() is "
              "2e-308, practically 0; numeric_limits<int>::infinity() is 0.)",
              each_score([](double score, bool allowed) { return allowed ? score : 0.0; }));

MISCONCEPTION(apply_mask, smallest_positive,
              "blocked scores become numeric_limits<double>::min(). That is the smallest positive "
              "number, 2e-308, and its exponential is 1. −∞ is "
              "-std::numeric_limits<double>::infinity().",
              each_score([](double score, bool allowed) {
                  return allowed ? score : std::numeric_limits<double>::min();
              }));

MISCONCEPTION(
    apply_mask, smallest_with_a_minus,
    "blocked scores become -numeric_limits<double>::min(). That is not the lowest number, "
    "but nearly 0, -2e-308, and its exponential is 1. −∞ is "
    "-std::numeric_limits<double>::infinity().",
    each_score([](double score, bool allowed) {
        return allowed ? score : -std::numeric_limits<double>::min();
    }));

MISCONCEPTION(apply_mask, inverted_blocking,
              "the allowed scores are blocked, and the blocked ones kept. true means attend.",
              each_score([](double score, bool allowed) { return allowed ? -infinity : score; }));

MISCONCEPTION(
    apply_mask, finite_stand_in,
    "blocked scores become a large negative number, not −∞. An allowed score may be "
    "as low, or lower; and if all keys are blocked, softmax gives weights to keys that should "
    "get nothing. −∞ is -std::numeric_limits<double>::infinity().",
    each_score([](double score, bool allowed) { return allowed ? score : -1e9; }));

MISCONCEPTION(apply_mask, plus_infinity,
              "blocked scores become +∞, the highest possible score. The sign is missing.",
              each_score([](double score, bool allowed) { return allowed ? score : infinity; }));

constexpr const char* zero_times_infinity =
    "where the mask allows there is NaN: 1 - mask is 0 there, and 0 · ∞ is not 0 but NaN. Do not "
    "multiply: choose between two values, with if, ?: or xt::where.";

MISCONCEPTION(apply_mask, zero_times_infinity_added, zero_times_infinity,
              each_score([](double, bool allowed) { return allowed ? not_a_number : -infinity; }));

MISCONCEPTION(apply_mask, times_minus_infinity,
              "blocked scores are multiplied by −∞: a negative one becomes +∞, and a 0 becomes "
              "NaN. Replace every blocked score.",
              each_score([](double score, bool allowed) {
                  return allowed ? score : score * -infinity;
              }));

MISCONCEPTION(apply_mask, divided_by_the_mask,
              "blocked scores are divided by 0, or multiplied by ∞: a negative one becomes −∞, a "
              "positive one +∞, and a 0 becomes NaN. Replace every blocked score.",
              each_score([](double score, bool allowed) {
                  return allowed ? score : score * infinity;
              }));

MISCONCEPTION(apply_mask, size_times_minus_infinity,
              "blocked scores are made by arithmetic, -|score| · ∞: that is −∞ but for a score of "
              "0, since 0 · ∞ is NaN. Replace every blocked score.",
              each_score([](double score, bool allowed) {
                  return allowed ? score : -std::abs(score) * infinity;
              }));

MISCONCEPTION(apply_mask, everything_blocked,
              "every score is −∞, the allowed ones as well. Look where the mask is asked, and "
              "whether what is allowed is copied.",
              each_score([](double, bool) { return -infinity; }));

MISCONCEPTION(apply_mask, blocked_as_nan,
              "blocked scores become NaN. One NaN in a row makes the maximum, the sum and with "
              "them all weights of the row NaN; −∞ takes part in a sum of exponentials as 0.",
              each_score([](double score, bool allowed) {
                  return allowed ? score : not_a_number;
              }));

MISCONCEPTION(apply_mask, maximum_subtracted,
              "each row's maximum has been subtracted from its scores. That belongs into the "
              "softmax; here the allowed scores stay as they are.",
              checked([](const Matrix& scores, const Mask& mask) -> Matrix {
                  Matrix shifted = scores;
                  for (std::size_t i = 0; i < shifted.shape(0); ++i) {
                      auto row = xt::view(shifted, i, xt::all());
                      const double largest = xt::amax(row)();
                      row -= largest;
                  }
                  return filled(shifted, mask, -infinity);
              }));

MISCONCEPTION(apply_mask, maximum_of_the_allowed_subtracted,
              "the maximum of what is allowed has been subtracted from each row. That belongs into "
              "the softmax; here the allowed scores stay as they are.",
              checked([](const Matrix& scores, const Mask& mask) -> Matrix {
                  Matrix blocked = filled(scores, mask, -infinity);
                  for (std::size_t i = 0; i < blocked.shape(0); ++i) {
                      auto row = xt::view(blocked, i, xt::all());
                      const double largest = xt::amax(row)();
                      row -= std::isfinite(largest) ? largest : 0.0;
                  }
                  return blocked;
              }));

MISCONCEPTION(apply_mask, mask_added,
              "this adds the mask itself, 1 or 0: allowed scores rise by 1, and nothing is "
              "blocked. The mask that can be added, 0 and −∞, is the subject of 05.4.",
              each_score([](double score, bool allowed) { return allowed ? score + 1 : score; }));

MISCONCEPTION(apply_mask, scores_untouched,
              "the scores are returned unchanged. Check that the function returns the copy that it "
              "changes, and that it changes it where the mask is false.",
              each_score([](double score, bool) { return score; }));

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
    "and blocks nothing: −∞ blocks a score, and 0 does not change it.",
    added(1, 0));

MISCONCEPTION(additive_mask, zero_and_minus_one,
              "this is mask - 1, that is 0 and -1. A blocked score falls by 1, and its weight to "
              "about a third, not to 0. Only −∞ makes it 0.",
              added(0, -1));

MISCONCEPTION(additive_mask, one_and_minus_infinity,
              "this adds 1 to every allowed score. Softmax gives the same weights, because only "
              "differences matter; but the number that does not change a score is 0.",
              added(1, -infinity));

MISCONCEPTION(additive_mask, everything_blocked,
              "everything is −∞, what is allowed as well. Is 1 replaced by 0 first, and 0 by −∞ "
              "after that? The second takes what the first has made, too: choose between the two "
              "for each element, with if, ?: or xt::where.",
              added(-infinity, -infinity));

MISCONCEPTION(additive_mask, inverted_addition,
              "−∞ and 0 are exchanged: the allowed scores are blocked. true means attend.",
              added(-infinity, 0));

MISCONCEPTION(additive_mask, finite_addition,
              "blocked places hold a large negative number, not −∞: such as −1e9, "
              "numeric_limits<double>::lowest(), or the logarithm of a number that is only nearly "
              "0. If a whole row is blocked, its keys get weights all the same. Either all its "
              "scores fall by one number, and only differences matter; or they vanish beside it, "
              "and all are alike. Only −∞ blocks.",
              added(0, -1e9));

constexpr const char* says_logarithm =
    "what is added is the logarithm of the mask plus a small number: nearly 0 where allowed, and a "
    "finite number where blocked. −∞ is what blocks, and 0 is what changes nothing.";

MISCONCEPTION(additive_mask, logarithm_of_mask_and_1e_6, says_logarithm,
              added(std::log(1 + 1e-6), std::log(1e-6)));
MISCONCEPTION(additive_mask, logarithm_of_mask_and_1e_8, says_logarithm,
              added(std::log(1 + 1e-8), std::log(1e-8)));
MISCONCEPTION(additive_mask, logarithm_of_mask_and_1e_9, says_logarithm,
              added(std::log(1 + 1e-9), std::log(1e-9)));
MISCONCEPTION(additive_mask, logarithm_of_mask_and_1e_10, says_logarithm,
              added(std::log(1 + 1e-10), std::log(1e-10)));
MISCONCEPTION(additive_mask, logarithm_of_mask_and_1e_12, says_logarithm,
              added(std::log(1 + 1e-12), std::log(1e-12)));

MISCONCEPTION(additive_mask, smallest_positive_added,
              "blocked places hold numeric_limits<double>::min(). That is the smallest positive "
              "number, 2e-308, which changes no score. −∞ is "
              "-std::numeric_limits<double>::infinity().",
              added(0, std::numeric_limits<double>::min()));

MISCONCEPTION(additive_mask, smallest_with_a_minus_added,
              "blocked places hold -numeric_limits<double>::min(). That is not the lowest number, "
              "but nearly 0, -2e-308, which changes no score. −∞ is "
              "-std::numeric_limits<double>::infinity().",
              added(0, -std::numeric_limits<double>::min()));

MISCONCEPTION(additive_mask, plus_infinity_added,
              "blocked places hold +∞, the highest possible score. The sign is missing.",
              added(0, infinity));

MISCONCEPTION(additive_mask, zero_times_infinity_alone, zero_times_infinity,
              added(not_a_number, -infinity));

MISCONCEPTION(
    apply_mask, others_zero,
    "blocked places hold −∞, but the allowed scores are 0. Start with a copy of the scores.",
    each_score([](double, bool allowed) { return allowed ? 0 : -infinity; }));

MISCONCEPTION(apply_mask, blocked_row_left,
              "a row in which everything is blocked is left as it is. It becomes −∞ throughout, as "
              "any blocked score does; what a softmax makes of that is seen to in 05.3.",
              checked([](auto& scores, auto& mask) {
                  Matrix result = filled(scores, mask, -infinity);
                  for (std::size_t i = 0; i < result.shape(0); ++i) {
                      if (nothing_allowed_in(mask, i)) {
                          xt::view(result, i, xt::all()) = xt::view(scores, i, xt::all());
                      }
                  }
                  return result;
              }));

MISCONCEPTION(apply_mask, exponentials,
              "these are the exponentials already. The result is the scores, with −∞ where they "
              "are blocked; the softmax is the subject of 05.3.",
              each_score([](double score, bool allowed) { return allowed ? std::exp(score) : 0; }));

MISCONCEPTION(apply_mask, softmax_applied,
              "these are weights, after a softmax. The result is the scores, with −∞ where they "
              "are blocked; the softmax is the subject of 05.3.",
              checked([](auto& scores, auto& mask) {
                  return oracle::softmax_rows(filled(scores, mask, -infinity));
              }));

MISCONCEPTION(apply_mask, result_transposed_where_square,
              "the result is transposed where it is square. A row of it belongs to a query, as in "
              "the scores, whatever the shape.",
              checked([](auto& scores, auto& mask) -> Matrix {
                  const Matrix result = filled(scores, mask, -infinity);
                  return result.shape(0) == result.shape(1) ? Matrix(xt::transpose(result))
                                                            : result;
              }));

MISCONCEPTION(apply_mask, zeros_blocked,
              "an allowed score that is 0 is taken for a blocked one. A score may be any number: "
              "ask the mask, not the score.",
              each_score([](double score, bool allowed) {
                  return allowed && score != 0 ? score : -infinity;
              }));

MISCONCEPTION(
    apply_mask, through_float,
    "the allowed scores have lost digits, as in a float. They must stay the same, to the last bit.",
    each_score([](double score, bool allowed) {
        return allowed ? static_cast<double>(static_cast<float>(score)) : -infinity;
    }));

MISCONCEPTION(additive_mask, zeros_only,
              "everything is 0: this mask changes no score, and blocks nothing. Blocked places "
              "hold −∞. (numeric_limits<double>::min() is 2e-308, practically 0; "
              "numeric_limits<int>::infinity() is 0.)",
              added(0, 0));

MISCONCEPTION(additive_mask, blocked_as_nan_alone,
              "blocked places hold NaN. Added to a score it makes NaN of it, and of all weights of "
              "its row; −∞ takes part in a sum of exponentials as 0.",
              added(0, not_a_number));

MISCONCEPTION(
    additive_mask, blocked_row_of_zeros,
    "a row in which everything is blocked is 0 throughout: added to the scores, it "
    "blocks nothing. It is −∞ throughout.",
    [](const Mask& mask) -> Matrix {
        Matrix result = filled(xt::zeros<double>({mask.shape(0), mask.shape(1)}), mask, -infinity);
        for (std::size_t i = 0; i < result.shape(0); ++i) {
            if (nothing_allowed_in(mask, i)) {
                xt::view(result, i, xt::all()) = 0;
            }
        }
        return result;
    });

MISCONCEPTION(additive_mask, causal_without_asking,
              "this blocks the upper triangle, whatever the mask says. There are other masks than "
              "the causal one: ask mask(i, j).",
              [](const Mask& mask) -> Matrix {
                  const Matrix zeros = xt::zeros<double>({mask.shape(0), mask.shape(1)});
                  return filled(zeros, causal_like(mask), -infinity);
              });

MISCONCEPTION(additive_mask, as_many_columns_as_rows,
              "the result is square, n_queries by n_queries, as a causal mask is. It has the shape "
              "of the mask: shape(0) rows and shape(1) columns.",
              [](const Mask& mask) -> Matrix {
                  Matrix result = xt::zeros<double>({mask.shape(0), mask.shape(0)});
                  for (std::size_t i = 0; i < mask.shape(0); ++i) {
                      for (std::size_t j = 0; j < mask.shape(0); ++j) {
                          result(i, j) = mask.at(i, j) ? 0 : -infinity;
                      }
                  }
                  return result;
              });

MISCONCEPTION(additive_mask, transposed,
              "rows and columns are exchanged. The result has the shape of the mask: "
              "(n_queries, n_keys).",
              [](const Mask& mask) -> Matrix {
                  const Matrix zeros = xt::zeros<double>({mask.shape(1), mask.shape(0)});
                  const Mask other = xt::transpose(mask);
                  return filled(zeros, other, -infinity);
              });

} // namespace
