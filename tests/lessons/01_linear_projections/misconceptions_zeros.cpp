// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "support/at_zero.hpp"

#include <algorithm>

namespace misconceptions_zeros {

using namespace at_zero;
using lesson::Matrix;
using lesson::QKV;

namespace {

using M = const Matrix&;
using S = std::size_t;

template <class At>
Matrix checked_product(M X, M W, At at) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(X) + " and " + lesson::shape_text(W));
    }
    return at_zero::product(X, W, at);
}

template <class At>
auto in_loops(At at) {
    return [at](M X, M W) { return checked_product(X, W, at); };
}

template <class At>
auto in_all_three(At at) {
    return [at](M X, M W_q, M W_k, M W_v) -> QKV {
        return {checked_product(X, W_q, at), checked_product(X, W_k, at),
                checked_product(X, W_v, at)};
    };
}

/// X · W, of which each sum ends at the first product that does not change it, or at the first of
/// those that are not 0.
Matrix ended_where_unchanged(M X, M W, bool unless_0) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(X) + " and " + lesson::shape_text(W));
    }
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    for (S i = 0; i < X.shape(0); ++i) {
        for (S j = 0; j < W.shape(1); ++j) {
            double& sum = result(i, j);
            for (S k = 0; k < X.shape(1); ++k) {
                const double term = X(i, k) * W(k, j);
                if (sum + term == sum && (unless_0 ? term : sum) != 0) {
                    break;
                }
                sum += term;
            }
        }
    }
    return result;
}

constexpr const char* says_too_small =
    "the sum ends at the first product that is too small to change it, as if those after it could "
    "only be smaller, too. They may be of any size, and a large one may follow: add all of them.";

// ---- 01.1 project

MISCONCEPTION(project, sum_ends_at_zero_in_input,
              "the sum ends at a component of X that is 0: break where continue was meant. A 0 "
              "adds nothing, and what comes after it counts.",
              in_loops(end_at_zero_left));
MISCONCEPTION(project, sum_ends_at_zero_in_weight,
              "the sum ends at an element of W that is 0: break where continue was meant. A 0 "
              "adds nothing, and what comes after it counts.",
              in_loops(end_at_zero_right));
MISCONCEPTION(project, sum_ends_at_zero_product,
              "the sum ends at a product that is 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              in_loops(end_at_zero_product));
MISCONCEPTION(
    project, sum_ends_where_it_does_not_change,
    "the sum ends at a product that does not change it, such as one that is 0, as if those "
    "after it could only be smaller. They may be of any size: add all of them.",
    [](M X, M W) { return ended_where_unchanged(X, W, false); });
MISCONCEPTION(project, sum_ends_at_a_product_too_small_to_change_it, says_too_small,
              [](M X, M W) { return ended_where_unchanged(X, W, true); });
MISCONCEPTION(project, row_ends_at_zero,
              "a component of X that is 0 ends its whole row of the result: return or break from "
              "too many loops. A 0 adds nothing, and what comes after it counts.",
              in_loops(end_row_at_zero));
MISCONCEPTION(project, row_that_begins_with_zero_skipped,
              "a position whose first component is 0 is taken for padding, and its row stays 0. A "
              "0 is a number like any other.",
              in_loops(skip_row_that_begins_with_zero));
MISCONCEPTION(project, ends_at_row_that_begins_with_zero,
              "a position whose first component is 0 is taken for the end of the sequence. A 0 is "
              "a number like any other: the number of rows says where X ends.",
              in_loops(end_at_row_that_begins_with_zero));

MISCONCEPTION(project, zero_weights_count_as_one,
              "an element of W that is 0 is taken for one that was not set, and counts as 1. A 0 "
              "is a number like any other.",
              [](M X, M W) -> Matrix {
                  const Matrix filled = xt::where(xt::equal(W, 0.0), 1.0, W);
                  return checked_product(X, filled, everything);
              });

MISCONCEPTION(project, single_position_returned,
              "a sequence of a single position is returned as it is. One position is projected "
              "like several.",
              [](M X, M W) -> Matrix {
                  const Matrix result = checked_product(X, W, everything);
                  return X.shape(0) == 1 ? X : result;
              });
MISCONCEPTION(project, negative_inputs_left_out,
              "negative components of X are left out. A projection sums the products of all.",
              [](M X, M W) -> Matrix {
                  const Matrix positive = xt::maximum(X, 0.0);
                  return checked_product(positive, W, everything);
              });
MISCONCEPTION(project, components_backwards,
              "component k of X is paired with row d_model - 1 - k of W. Component k meets row k.",
              [](M X, M W) -> Matrix {
                  const Matrix backwards = xt::flip(W, 0);
                  return checked_product(X, backwards, everything);
              });
MISCONCEPTION(project, transposed_where_square,
              "a square W is transposed: something looks at its shape to see which way round it "
              "is. A square W stands as any other does: (d_model, d_out).",
              [](M X, M W) -> Matrix {
                  const Matrix turned = xt::transpose(W);
                  return checked_product(X, W.shape(0) == W.shape(1) ? turned : W, everything);
              });

// ---- 01.2 compute_qkv

MISCONCEPTION(compute_qkv, sums_end_at_zero_in_input,
              "the sums end at a component of X that is 0: break where continue was meant. A 0 "
              "adds nothing, and what comes after it counts.",
              in_all_three(end_at_zero_left));
MISCONCEPTION(compute_qkv, sums_end_at_zero_in_weight,
              "the sums end at an element of a weight that is 0: break where continue was meant. A "
              "0 adds nothing, and what comes after it counts.",
              in_all_three(end_at_zero_right));
MISCONCEPTION(compute_qkv, sums_end_at_zero_product,
              "the sums end at a product that is 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              in_all_three(end_at_zero_product));
MISCONCEPTION(compute_qkv, sums_end_at_a_product_too_small_to_change_them, says_too_small,
              [](M X, M W_q, M W_k, M W_v) -> QKV {
                  return {ended_where_unchanged(X, W_q, true), ended_where_unchanged(X, W_k, true),
                          ended_where_unchanged(X, W_v, true)};
              });
MISCONCEPTION(compute_qkv, rows_that_begin_with_zero_skipped,
              "a position whose first component is 0 is taken for padding, and has zeros for "
              "query, key and value. A 0 is a number like any other.",
              in_all_three(skip_row_that_begins_with_zero));

MISCONCEPTION(compute_qkv, single_position_not_projected,
              "a sequence of a single position is returned as it is. One position is projected "
              "like several.",
              [](M X, M W_q, M W_k, M W_v) -> QKV {
                  if (X.shape(0) == 1) {
                      return {X, X, X};
                  }
                  return in_all_three(everything)(X, W_q, W_k, W_v);
              });
MISCONCEPTION(compute_qkv, weight_of_zeros_replaced,
              "a weight of nothing but zeros is taken for one that is missing, and X stands in its "
              "place. Zeros project everything to 0.",
              [](M X, M W_q, M W_k, M W_v) -> QKV {
                  const auto view = [&](M W) -> Matrix {
                      const bool missing =
                          std::all_of(W.begin(), W.end(), [](double w) { return w == 0; });
                      return missing ? X : checked_product(X, W, everything);
                  };
                  return {view(W_q), view(W_k), view(W_v)};
              });

} // namespace

} // namespace misconceptions_zeros
