// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"

#include <algorithm>
#include <cmath>

using lesson::Matrix;

namespace {

// ---- 01.1 project: another term in the innermost loop, or fewer of them

/// Three loops with a term of the learner's. An index may be out of range: then this fails where
/// the learner's does.
template <class Term>
auto summed(Term term) {
    return [term](const Matrix& X, const Matrix& W) -> Matrix {
        Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
        for (std::size_t i = 0; i < X.shape(0); ++i) {
            for (std::size_t j = 0; j < W.shape(1); ++j) {
                for (std::size_t k = 0; k < X.shape(1); ++k) {
                    result(i, j) += term(X, W, i, j, k);
                }
            }
        }
        return result;
    };
}

using M = const Matrix&;
using S = std::size_t;

MISCONCEPTION(project, row_of_the_position_in_the_weight,
              "the row of W is that of the position, W(i, k). Row k of W belongs to component k of "
              "X: W(k, j).",
              summed([](M X, M W, S i, S, S k) { return X(i, k) * W(i, k); }));

MISCONCEPTION(project, diagonal_of_the_weight,
              "only the diagonal of W is used, W(k, k). Output j has a column of its own: W(k, j).",
              summed([](M X, M W, S i, S, S k) { return X(i, k) * W(k, k); }));

MISCONCEPTION(project, diagonal_of_the_input,
              "only the diagonal of X is used, X(k, k). Position i is row i: X(i, k).",
              summed([](M X, M W, S, S j, S k) { return X(k, k) * W(k, j); }));

MISCONCEPTION(project, one_weight_for_all_components,
              "all components of X meet one and the same element of W, W(i, j). In the innermost "
              "loop both change together: X(i, k) and W(k, j).",
              summed([](M X, M W, S i, S j, S k) { return X(i, k) * W(i, j); }));

MISCONCEPTION(project, subtracted_in_place_of_multiplied,
              "the components are subtracted, X(i, k) - W(k, j). They are multiplied, and the "
              "products are added up.",
              summed([](M X, M W, S i, S j, S k) { return X(i, k) - W(k, j); }));

MISCONCEPTION(project, squared_differences,
              "these are squared distances, of row i of X from column j of W. A projection sums "
              "products.",
              summed([](M X, M W, S i, S j, S k) {
                  return (X(i, k) - W(k, j)) * (X(i, k) - W(k, j));
              }));

MISCONCEPTION(project, squares_of_the_input,
              "X is multiplied with itself, and W is never looked at: X(i, k) * W(k, j).",
              summed([](M X, M, S i, S, S k) { return X(i, k) * X(i, k); }));

MISCONCEPTION(project, squares_of_the_weight,
              "W is multiplied with itself, and X is never looked at: X(i, k) * W(k, j).",
              summed([](M, M W, S, S j, S k) { return W(k, j) * W(k, j); }));

MISCONCEPTION(project, products_in_whole_numbers,
              "each product is cut to a whole number before it is added. Sum in a double.",
              summed([](M X, M W, S i, S j, S k) { return std::trunc(X(i, k) * W(k, j)); }));

MISCONCEPTION(project, first_product_only,
              "each element is the first of its products, not their sum. Does a break or a return "
              "stand inside the innermost loop?",
              summed([](M X, M W, S i, S j, S k) { return k > 0 ? 0 : X(i, k) * W(k, j); }));

MISCONCEPTION(project, every_second_product, "every second product is left out: does k grow by 2?",
              summed([](M X, M W, S i, S j, S k) { return k % 2 == 0 ? X(i, k) * W(k, j) : 0; }));

MISCONCEPTION(project, first_half_of_the_products,
              "the second half of the products is left out: the innermost loop goes over all of "
              "d_model.",
              summed([](M X, M W, S i, S j, S k) {
                  return k < X.shape(1) / 2 ? X(i, k) * W(k, j) : 0;
              }));

/// Only as many products as fill whole blocks.
auto whole_blocks_of(S size) {
    return summed([=](M X, M W, S i, S j, S k) {
        return k < X.shape(1) / size * size ? X(i, k) * W(k, j) : 0;
    });
}

constexpr const char* lost_products =
    "the sum goes in blocks, and the products that are left over where d_model is no multiple of "
    "a block are lost. Add a loop for the rest.";

MISCONCEPTION(project, products_past_blocks_of_2_lost, lost_products, whole_blocks_of(2));
MISCONCEPTION(project, products_past_blocks_of_4_lost, lost_products, whole_blocks_of(4));
MISCONCEPTION(project, products_past_blocks_of_8_lost, lost_products, whole_blocks_of(8));

MISCONCEPTION(
    project, last_row_of_the_weight_as_bias,
    "the last row of W is added as it is, like a bias, and the last component of X is left out. "
    "A projection has no bias here: every row of W is multiplied by its component of X.",
    summed([](M X, M W, S i, S j, S k) { return (k + 1 < X.shape(1) ? X(i, k) : 1) * W(k, j); }));

MISCONCEPTION(
    project, row_times_the_weight,
    "a row of X is multiplied by W with *, which pairs component k with column k of W, and throws "
    "where the sizes do not allow that. Component k belongs to row k of W: W(k, j).",
    [](M X, M W) -> Matrix {
        Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
        for (S i = 0; i < X.shape(0); ++i) {
            const Matrix products = xt::view(X, i, xt::all()) * W;
            const attention::Vector sums = xt::sum(products, {0});
            for (S j = 0; j < W.shape(1); ++j) {
                result(i, j) = sums(j);
            }
        }
        return result;
    });

MISCONCEPTION(project, largest_product,
              "each element is the largest of its products, not their sum.",
              [](M X, M W) -> Matrix {
                  Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
                  for (S i = 0; i < X.shape(0); ++i) {
                      for (S j = 0; j < W.shape(1); ++j) {
                          result(i, j) = X(i, 0) * W(0, j);
                          for (S k = 1; k < X.shape(1); ++k) {
                              result(i, j) = std::max(result(i, j), X(i, k) * W(k, j));
                          }
                      }
                  }
                  return result;
              });

MISCONCEPTION(project, product_of_the_sums,
              "row i of X and column j of W are summed first, and the two sums multiplied. It is "
              "the other way round: multiply element by element, and sum the products.",
              [](M X, M W) -> Matrix {
                  const Matrix rows = xt::sum(X, {1}, xt::keep_dims);
                  const Matrix columns = xt::sum(W, {0}, xt::keep_dims);
                  return rows * columns;
              });

} // namespace
