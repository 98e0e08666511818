// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>

#include "exports.hpp"
#include "support/oracle.hpp"

using lesson::Matrix;

namespace {

// ---- 01.1 project: what goes wrong in three loops

/// Three loops with a term of the learner's, behind the stub's check. An index may be out of range:
/// then this fails where the learner's does.
template <class Term>
Matrix sums(std::size_t n_rows, std::size_t n_columns, std::size_t n_terms, Term term) {
    Matrix result = xt::zeros<double>({n_rows, n_columns});
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n_columns; ++j) {
            for (std::size_t k = 0; k < n_terms; ++k) {
                result(i, j) += term(i, j, k);
            }
        }
    }
    return result;
}

/// A change to the right result, element by element.
template <class Change>
auto of_the_product(Change change) {
    return [change](const Matrix& X, const Matrix& W) -> Matrix {
        Matrix result = oracle::matmul(X, W);
        for (std::size_t i = 0; i < result.shape(0); ++i) {
            for (std::size_t j = 0; j < result.shape(1); ++j) {
                result(i, j) = change(result(i, j), i, j, X, W);
            }
        }
        return result;
    };
}

MISCONCEPTION(project, element_wise_in_loops,
              "this multiplies X and W element by element, X(i, j) * W(i, j). Element (i, j) of "
              "X · W takes all of row i of X and all of column j of W, and sums the products: a "
              "third loop.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), 1,
                              [&](auto i, auto j, auto) { return X(i, j) * W(i, j); });
              });

MISCONCEPTION(project, rows_of_the_weight,
              "this pairs row i of X with row j of W, which is X · Wᵀ: the result has a column for "
              "each row of W. An output component is a column of W.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(0), X.shape(1),
                              [&](auto i, auto j, auto k) { return X(i, k) * W(j, k); });
              });

MISCONCEPTION(project, as_wide_as_the_input,
              "the loop over the columns ends at d_model, the number of rows of W. The result has "
              "a column for each column of W, d_out.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(0), X.shape(1),
                              [&](auto i, auto j, auto k) { return X(i, k) * W(k, j); });
              });

MISCONCEPTION(project, input_indices_swapped,
              "the indices of X are swapped: X(k, i) walks down a column of X, through the "
              "positions. Position i is row i, X(i, k).",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(1),
                              [&](auto i, auto j, auto k) { return X(k, i) * W(k, j); });
              });

MISCONCEPTION(project, summed_over_positions,
              "the innermost loop ends at the number of positions. It goes over what X and W "
              "share, d_model: the columns of X.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(0),
                              [&](auto i, auto j, auto k) { return X(i, k) * W(k, j); });
              });

MISCONCEPTION(project, summed_over_outputs,
              "the innermost loop ends at the number of columns of W. It goes over what X and W "
              "share, d_model: the columns of X.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), W.shape(1),
                              [&](auto i, auto j, auto k) { return X(i, k) * W(k, j); });
              });

MISCONCEPTION(project, first_position_everywhere,
              "every row is that of position 0: X(0, k) where X(i, k) is meant.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(1),
                              [&](auto, auto j, auto k) { return X(0, k) * W(k, j); });
              });

/// Element (k, j) of W, counted with rows that are as wide as another matrix's.
auto with_rows_of_width(std::size_t (*width)(const Matrix& X, const Matrix& W)) {
    return [width](const Matrix& X, const Matrix& W) {
        return sums(X.shape(0), W.shape(1), X.shape(1), [&](auto i, auto j, auto k) {
            return X(i, k) * W.data()[std::min(k * width(X, W) + j, W.size() - 1)];
        });
    };
}

MISCONCEPTION(project, weight_counted_in_rows_of_d_model,
              "element (k, j) of W is looked for at k * d_model + j. A row of W is d_out wide, so "
              "it is number k * d_out + j; W(k, j) counts by itself.",
              with_rows_of_width([](const Matrix& X, const Matrix&) { return X.shape(1); }));

MISCONCEPTION(project, column_of_the_position,
              "position i is given column i of W alone, W(k, i). Every position meets every column "
              "of W: W(k, j).",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(1),
                              [&](auto i, auto, auto k) { return X(i, k) * W(k, i); });
              });

MISCONCEPTION(project, one_input_component,
              "output j is given component j of X alone, X(i, j), times the sum of a column of W. "
              "In the innermost loop both change together: X(i, k) and W(k, j).",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(1),
                              [&](auto i, auto j, auto k) { return X(i, j) * W(k, j); });
              });

MISCONCEPTION(project, added_in_place_of_multiplied,
              "the components are added, X(i, k) + W(k, j). They are multiplied, and the products "
              "are added up.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(1),
                              [&](auto i, auto j, auto k) { return X(i, k) + W(k, j); });
              });

MISCONCEPTION(project, sizes_of_the_products,
              "the sizes of the products are summed, without their signs. A component that is "
              "negative counts against the others.",
              [](const Matrix& X, const Matrix& W) {
                  return sums(X.shape(0), W.shape(1), X.shape(1),
                              [&](auto i, auto j, auto k) { return std::abs(X(i, k) * W(k, j)); });
              });

MISCONCEPTION(project, sum_reset_for_each_row_only,
              "each element still holds the sums of those before it in its row. The sum starts at "
              "0 for every element: set it inside the loop over the columns.",
              [](const Matrix& X, const Matrix& W) -> Matrix {
                  Matrix result = oracle::matmul(X, W);
                  for (std::size_t i = 0; i < result.shape(0); ++i) {
                      for (std::size_t j = 1; j < result.shape(1); ++j) {
                          result(i, j) += result(i, j - 1);
                      }
                  }
                  return result;
              });

MISCONCEPTION(
    project, integer_sum,
    "the sum is kept in an integer, which drops the fraction at every step. Either it is declared "
    "so (auto sum = 0 is an int), or it happens unseen: in std::inner_product(first, last, other, "
    "0) the type of the 0 is the type of the sum. Let it be a double, and begin with 0.0.",
    [](const Matrix& X, const Matrix& W) -> Matrix {
        Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
        for (std::size_t i = 0; i < X.shape(0); ++i) {
            for (std::size_t j = 0; j < W.shape(1); ++j) {
                for (std::size_t k = 0; k < X.shape(1); ++k) {
                    result(i, j) = std::trunc(result(i, j) + X(i, k) * W(k, j));
                }
            }
        }
        return result;
    });

MISCONCEPTION(project, starts_at_one,
              "every element is 1 too large: a sum starts at 0, xt::zeros, not xt::ones.",
              of_the_product([](double sum, auto, auto, const Matrix&, const Matrix&) {
                  return sum + 1;
              }));

MISCONCEPTION(project, subtracted,
              "the products are subtracted: the signs are all turned around. += adds.",
              of_the_product([](double sum, auto, auto, const Matrix&, const Matrix&) {
                  return -sum;
              }));

MISCONCEPTION(project, never_reaches_the_result,
              "every element is 0: what the loops compute never reaches the result. Is a variable "
              "declared a second time inside a loop, or multiplied, *=, where it should be added "
              "to?",
              of_the_product([](double, auto, auto, const Matrix&, const Matrix&) { return 0.0; }));

MISCONCEPTION(project, mean_of_the_products,
              "the sum is divided by d_model. A projection is the sum of the products, not their "
              "mean.",
              of_the_product([](double sum, auto, auto, const Matrix& X, const Matrix&) {
                  return sum / static_cast<double>(X.shape(1));
              }));

MISCONCEPTION(project, scaled,
              "the sum is divided by the root of d_model. Scaling comes in lesson 02, and it is "
              "the scores that are scaled, not the projections.",
              of_the_product([](double sum, auto, auto, const Matrix& X, const Matrix&) {
                  return sum / std::sqrt(static_cast<double>(X.shape(1)));
              }));

MISCONCEPTION(project, negatives_cut_off,
              "negative elements have become 0. A projection is linear, and keeps them.",
              of_the_product([](double sum, auto, auto, const Matrix&, const Matrix&) {
                  return std::max(sum, 0.0);
              }));

MISCONCEPTION(project, last_position_left_out,
              "the last position stays 0: the loop over the rows ends one too early.",
              of_the_product([](double sum, std::size_t i, auto, const Matrix& X, const Matrix&) {
                  return i + 1 == X.shape(0) ? 0 : sum;
              }));

MISCONCEPTION(project, last_output_left_out,
              "the last column stays 0: the loop over the columns of W ends one too early.",
              of_the_product([](double sum, auto, std::size_t j, const Matrix&, const Matrix& W) {
                  return j + 1 == W.shape(1) ? 0 : sum;
              }));

MISCONCEPTION(project, first_position_only,
              "only the first row is there, the others are 0. Does a return stand inside the loop "
              "over the positions?",
              of_the_product([](double sum, std::size_t i, auto, const Matrix&, const Matrix&) {
                  return i > 0 ? 0 : sum;
              }));

MISCONCEPTION(project, first_element_only,
              "only the first element is there, the others are 0. Does a return stand inside the "
              "loops?",
              of_the_product([](double sum, std::size_t i, std::size_t j, const Matrix&,
                                const Matrix&) { return i + j > 0 ? 0 : sum; }));

MISCONCEPTION(project, column_by_column,
              "both matrices are read from memory, and the result is written to it, column after "
              "column, as BLAS and Fortran do. Here a matrix lies row after row: element (i, j) of "
              "X is X.data()[i * d_model + j].",
              [](const Matrix& X, const Matrix& W) -> Matrix {
                  const auto other_way = [](const Matrix& A) -> Matrix {
                      Matrix read = Matrix::from_shape({A.shape(0), A.shape(1)});
                      for (std::size_t i = 0; i < A.size(); ++i) {
                          read(i % A.shape(0), i / A.shape(0)) = A.data()[i];
                      }
                      return read;
                  };
                  const Matrix product = oracle::matmul(other_way(X), other_way(W));
                  Matrix written = Matrix::from_shape({product.shape(0), product.shape(1)});
                  for (std::size_t i = 0; i < product.size(); ++i) {
                      written.data()[i] = product(i % product.shape(0), i / product.shape(0));
                  }
                  return written;
              });

} // namespace
