// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.3 masked_softmax, and 05.5: which rows and places are done

/// The right weights with 0 where not kept(mask, i, j).
template <class Kept>
auto only(Kept kept) {
    return [=](const Matrix& scores, const Mask& mask) {
        return zero_unless(plain::masked_softmax(scores, mask),
                           [&](auto i, auto j) { return kept(mask, i, j); });
    };
}

WITHIN_ONE_SEQUENCE(first_query_only,
                    "only the first query has weights, the others have 0. Look where the loop over "
                    "the queries ends, or whether it returns too early.",
                    only([](auto&, auto i, auto) { return i == 0; }));

WITHIN_ONE_SEQUENCE(last_query_left_out,
                    "the last query has no weights: the loop over the queries ends one too early.",
                    only([](auto& mask, auto i, auto) { return i + 1 < mask.shape(0); }));

WITHIN_ONE_SEQUENCE(last_key_left_out,
                    "the last key never gets a weight: the loop over the keys ends one too early.",
                    [](auto& scores, auto& mask) {
                        const Mask without =
                            mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                                return mask(i, j) && j + 1 < mask.shape(1);
                            });
                        return plain::masked_softmax(scores, without);
                    });

WITHIN_ONE_SEQUENCE(done_at_a_blocked_row,
                    "after a row in which everything is blocked, all rows are 0: break or return "
                    "leaves the loop there. continue goes on to the next row.",
                    only([](auto& mask, auto i, auto) {
                        for (std::size_t row = 0; row < i; ++row) {
                            if (plain::all_blocked(mask, row)) {
                                return false;
                            }
                        }
                        return true;
                    }));

WITHIN_ONE_SEQUENCE(
    zero_if_any_row_is_blocked,
    "if one row is blocked completely, the whole answer is 0. Only that row should be 0.",
    only([](auto& mask, auto, auto) {
        for (std::size_t row = 0; row < mask.shape(0); ++row) {
            if (plain::all_blocked(mask, row)) {
                return false;
            }
        }
        return true;
    }));

WITHIN_ONE_SEQUENCE(zero_if_the_first_key_is_blocked,
                    "a row whose first key is blocked comes out as 0. A row is 0 only if all of "
                    "its keys are blocked: look at each of them.",
                    only([](auto& mask, auto i, auto) { return mask(i, 0); }));

WITHIN_ONE_SEQUENCE(zero_if_the_last_key_is_blocked,
                    "a row whose last key is blocked comes out as 0. A row is 0 only if all of its "
                    "keys are blocked: look at each of them.",
                    only([](auto& mask, auto i, auto) { return mask(i, mask.shape(1) - 1); }));

WITHIN_ONE_SEQUENCE(
    zero_if_its_own_key_is_blocked,
    "a row in which the query's own key is blocked comes out as 0, as if the query were padding. A "
    "row is 0 only if all of its keys are blocked: look at each of them.",
    only([](auto& mask, auto i, auto) { return i >= mask.shape(1) || mask(i, i); }));

WITHIN_ONE_SEQUENCE(zero_if_any_key_is_blocked,
                    "a row in which one key is blocked comes out as 0. A row is 0 only if all of "
                    "its keys are blocked.",
                    only([](auto& mask, auto i, auto) {
                        for (std::size_t j = 0; j < mask.shape(1); ++j) {
                            if (!mask(i, j)) {
                                return false;
                            }
                        }
                        return true;
                    }));

WITHIN_ONE_SEQUENCE(one_in_blocked_rows,
                    "a row in which everything is blocked holds weights of 1. Nothing is allowed "
                    "there, so no key gets anything: 0.",
                    [](auto& scores, auto& mask) {
                        Matrix weights = plain::masked_softmax(scores, mask);
                        for (std::size_t i = 0; i < mask.shape(0); ++i) {
                            for (std::size_t j = 0; j < mask.shape(1); ++j) {
                                weights(i, j) = plain::all_blocked(mask, i) ? 1 : weights(i, j);
                            }
                        }
                        return weights;
                    });

WITHIN_ONE_SEQUENCE(itself_in_blocked_rows,
                    "where everything is blocked a query attends to itself, so that no row is "
                    "empty. Nothing is allowed there, so no key gets anything: 0.",
                    [](auto& scores, auto& mask) {
                        return plain::masked_softmax(scores, with_own_key_in_blocked_rows(mask));
                    });

WITHIN_ONE_SEQUENCE(scores_in_place_of_weights,
                    "these are the masked scores. The softmax is still to come: exponentials, "
                    "divided by the sum of their row.",
                    [](auto& scores, auto& mask) { return filled(scores, mask, -infinity); });

WITHIN_ONE_SEQUENCE(softmax_twice,
                    "softmax is applied twice. The second one takes weights for scores: it makes "
                    "them nearly equal, and gives blocked keys a share, since exp(0) is 1.",
                    [](auto& scores, auto& mask) {
                        return oracle::softmax_rows(plain::masked_softmax(scores, mask));
                    });

// ---- The mask asked wrongly

#define MASKED_BY(name, explanation, ...)                                                          \
    WITHIN_ONE_SEQUENCE(name, explanation, [](auto& scores, auto& given) {                         \
        return plain::masked_softmax(scores, (__VA_ARGS__)(given));                                \
    })

MASKED_BY(rows_for_columns_in_mask,
          "rows and columns of the mask are exchanged. The query i comes first, as in the scores.",
          [](const Mask& mask) { return exchanged(mask); });

MASKED_BY(mask_exchanged_where_square,
          "where the mask is square its rows and columns are exchanged: mask(j, i). The query i "
          "comes first whatever the shape: mask(i, j).",
          [](const Mask& mask) { return exchanged_where_square(mask); });

MASKED_BY(mask_of_the_first_query,
          "every query is masked like the first one: the index i of the mask is missing.",
          [](const Mask& mask) {
              return mask_of(mask.shape(0), mask.shape(1),
                             [&](auto, auto j) { return mask(0, j); });
          });

/// Each place has the mask of the place of(i, j), where that is on the mask.
template <class Of>
auto read_at(Of of) {
    return [of](const Mask& mask) {
        return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
            const auto [row, column] = of(i, j, mask.shape(1) - 1);
            return mask(std::min(row, mask.shape(0) - 1), std::min(column, mask.shape(1) - 1));
        });
    };
}
using Place = std::pair<std::size_t, std::size_t>;

MASKED_BY(mask_of_the_first_key,
          "every key is masked like the first one: the index j of the mask is missing.",
          read_at([](auto i, auto, auto) {
              return Place{i, 0};
          }));

MASKED_BY(mask_of_the_last_key,
          "every key is masked like the last one: the index j of the mask is that of the last key.",
          read_at([](auto i, auto, auto last) {
              return Place{i, last};
          }));

MASKED_BY(mask_of_the_first_place,
          "everything is masked like the first key of the first query: both indices of the mask "
          "are missing.",
          read_at([](auto, auto, auto) {
              return Place{0, 0};
          }));

MASKED_BY(mask_of_its_own_key,
          "every key is masked like the one at the query's own position: the mask is read at i, i "
          "in place of i, j.",
          read_at([](auto i, auto, auto) {
              return Place{i, i};
          }));

MASKED_BY(mask_of_its_own_query,
          "every query is masked like the one at the key's position: the mask is read at j, j in "
          "place of i, j.",
          read_at([](auto, auto j, auto) {
              return Place{j, j};
          }));

MASKED_BY(always_causal,
          "this is causal whatever the mask says. The caller decides who may see whom, and there "
          "are other masks than the causal one.",
          [](const Mask& mask) { return causal_like(mask); });

MASKED_BY(causal_as_well,
          "this is causal in addition to what the mask says. The caller decides who may see whom: "
          "only the mask blocks.",
          [](const Mask& mask) {
              return mask_of(mask.shape(0), mask.shape(1),
                             [&](auto i, auto j) { return mask(i, j) && j <= i; });
          });

MASKED_BY(sees_itself_in_any_case,
          "a query sees the key of its own position even where the mask blocks it. Only the mask "
          "decides.",
          [](const Mask& mask) {
              return mask_of(mask.shape(0), mask.shape(1),
                             [&](auto i, auto j) { return mask(i, j) || i == j; });
          });

MASKED_BY(last_key_never_blocked,
          "the last key is never blocked: the loop over the keys of the mask ends one too early.",
          [](const Mask& mask) {
              return asked_only(mask, [&](auto, auto j) { return j + 1 < mask.shape(1); });
          });

} // namespace
