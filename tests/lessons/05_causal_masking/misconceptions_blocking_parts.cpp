// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.2 and 05.4 where only a part is done

/// The mask changed by `other`, then put to use.
#define MASK_ASKED_WRONGLY(name, explanation, ...)                                                 \
    MISCONCEPTION(apply_mask, name, explanation, checked([](auto& scores, auto& given) {           \
                      return filled(scores, (__VA_ARGS__)(given), -infinity);                      \
                  }));                                                                             \
    MISCONCEPTION(additive_mask, name##_in_addition, explanation,                                  \
                  [](const Mask& given) -> Matrix {                                                \
                      const Matrix zeros = xt::zeros<double>({given.shape(0), given.shape(1)});    \
                      return filled(zeros, (__VA_ARGS__)(given), -infinity);                       \
                  })

MASK_ASKED_WRONGLY(rows_for_columns,
                   "rows and columns of the mask are exchanged: mask(j, i) is asked. The query i "
                   "comes first, as in the scores: mask(i, j).",
                   [](const Mask& mask) { return exchanged(mask); });

MASK_ASKED_WRONGLY(
    causal_as_well,
    "what comes later is blocked, too, although the mask allows it: the mask that is "
    "given is all that blocks, and not every one is causal.",
    [](const Mask& mask) {
        return mask_of(mask.shape(0), mask.shape(1),
                       [&](auto i, auto j) { return mask(i, j) && j <= i; });
    });

MASK_ASKED_WRONGLY(exchanged_in_squares,
                   "where the mask is square its rows and columns are exchanged: mask(j, i). The "
                   "query i comes first whatever the shape: mask(i, j).",
                   [](const Mask& mask) { return exchanged_where_square(mask); });

MASK_ASKED_WRONGLY(last_column_left_out,
                   "nothing is blocked in the last column: the loop over the keys ends one too "
                   "early.",
                   [](const Mask& mask) {
                       return asked_only(mask, [&](auto, auto j) { return j + 1 < mask.shape(1); });
                   });

MASK_ASKED_WRONGLY(first_column_left_out,
                   "nothing is blocked in the first column: the loop over the keys begins at 1, "
                   "and they count from 0.",
                   [](const Mask& mask) {
                       return asked_only(mask, [](auto, auto j) { return j > 0; });
                   });

MASK_ASKED_WRONGLY(last_row_left_out,
                   "nothing is blocked in the last row: the loop over the queries ends one too "
                   "early.",
                   [](const Mask& mask) {
                       return asked_only(mask, [&](auto i, auto) { return i + 1 < mask.shape(0); });
                   });

MASK_ASKED_WRONGLY(first_row_left_out,
                   "nothing is blocked in the first row: the loop over the queries begins at 1, "
                   "and they count from 0.",
                   [](const Mask& mask) {
                       return asked_only(mask, [](auto i, auto) { return i > 0; });
                   });

MASK_ASKED_WRONGLY(only_the_first_row,
                   "only the first row is done. Look where the loop over the queries ends, or "
                   "whether it returns too early.",
                   [](const Mask& mask) {
                       return asked_only(mask, [](auto i, auto) { return i == 0; });
                   });

MASK_ASKED_WRONGLY(first_row_for_all,
                   "every row is blocked like the first one: the index i of the mask is missing.",
                   [](const Mask& mask) {
                       return mask_of(mask.shape(0), mask.shape(1),
                                      [&](auto, auto j) { return mask(0, j); });
                   });

/// Whether something before (i, j) in its row is blocked.
bool blocked_before(const Mask& mask, std::size_t i, std::size_t j) {
    while (j-- > 0) {
        if (!mask(i, j)) {
            return true;
        }
    }
    return false;
}

MASK_ASKED_WRONGLY(first_blocked_of_each_row,
                   "in each row only the first blocked score is replaced: a break or a return ends "
                   "the row there. Others may follow.",
                   [](const Mask& mask) {
                       return asked_only(
                           mask, [&](auto i, auto j) { return !blocked_before(mask, i, j); });
                   });

MASK_ASKED_WRONGLY(all_from_the_first_blocked_on,
                   "everything after the first blocked key of a row is blocked as well, as it is "
                   "under a causal mask. There are other masks: ask mask(i, j) for each.",
                   [](const Mask& mask) {
                       return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                           return mask(i, j) && !blocked_before(mask, i, j);
                       });
                   });

MASK_ASKED_WRONGLY(as_many_from_the_left,
                   "as many keys are allowed as the mask allows, but always those from the left. "
                   "The allowed keys may stand anywhere: ask mask(i, j) for each.",
                   [](const Mask& mask) {
                       return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                           const auto row = xt::view(mask, i);
                           return j < static_cast<std::size_t>(
                                          std::count(row.begin(), row.end(), true));
                       });
                   });

MASK_ASKED_WRONGLY(only_the_first_blocked,
                   "only the first blocked score of all is replaced. Look whether the function "
                   "returns too early.",
                   [](const Mask& mask) {
                       return asked_only(mask, [&](auto i, auto j) {
                           for (std::size_t row = 0; row < i; ++row) {
                               if (blocked_before(mask, row, mask.shape(1))) {
                                   return false;
                               }
                           }
                           return !blocked_before(mask, i, j);
                       });
                   });

MASK_ASKED_WRONGLY(whole_rows,
                   "where one score of a row is blocked, the whole row becomes −∞. Only the "
                   "blocked one does.",
                   [](const Mask& mask) {
                       return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto) {
                           return !blocked_before(mask, i, mask.shape(1));
                       });
                   });

MASK_ASKED_WRONGLY(only_as_wide_as_high,
                   "both loops run to the same number, the rows, as if the mask were square. There "
                   "are shape(0) rows and shape(1) columns.",
                   [](const Mask& mask) {
                       return asked_only(mask, [&](auto, auto j) { return j < mask.shape(0); });
                   });

MASK_ASKED_WRONGLY(only_above_the_diagonal,
                   "the mask is asked above the diagonal only, and blocks nothing elsewhere. There "
                   "are other masks than the causal one: ask mask(i, j) everywhere.",
                   [](const Mask& mask) {
                       return asked_only(mask, [](auto i, auto j) { return j > i; });
                   });

MASK_ASKED_WRONGLY(sees_itself_in_any_case,
                   "the diagonal is never blocked: a query sees the key of its own position even "
                   "where the mask blocks it. Only the mask decides: ask mask(i, j) there, too.",
                   [](const Mask& mask) {
                       return asked_only(mask, [](auto i, auto j) { return i != j; });
                   });

MASK_ASKED_WRONGLY(itself_in_blocked_rows,
                   "in a row in which everything is blocked the query's own key stays allowed, so "
                   "that the row is not empty. It is −∞ throughout: only the mask decides.",
                   [](const Mask& mask) { return with_own_key_in_blocked_rows(mask); });

} // namespace
