// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include <cstdlib>

#include "exports.hpp"
#include "support/oracle.hpp"

using lesson::Matrix;

namespace {

// ---- 01.1 project

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

MISCONCEPTION(
    project, transposed_weight,
    "this is X · Wᵀ. A column of W belongs to one output component, and its rows are paired "
    "with the components of X; here rows and columns of W have changed places.",
    [](const Matrix& X, const Matrix& W) -> Matrix { return oracle::matmul(X, transposed(W)); });

MISCONCEPTION(
    project, element_wise_product,
    "this multiplies X and W element by element. In xtensor * is never the matrix product: "
    "the matrix product pairs a row of X with a column of W, and sums.",
    [](const Matrix& X, const Matrix& W) -> Matrix { return X * W; });

MISCONCEPTION(
    project, weight_first,
    "this is Wᵀ · X. The positions are the rows of X, and they have to stay rows: X stands "
    "on the left.",
    [](const Matrix& X, const Matrix& W) -> Matrix { return oracle::matmul(transposed(W), X); });

MISCONCEPTION(
    project, weight_times_input,
    "this is W · X. Matrix products do not commute: the positions are the rows of X, so X "
    "stands on the left.",
    [](const Matrix& X, const Matrix& W) -> Matrix { return oracle::matmul(W, X); });

MISCONCEPTION(project, last_product_only,
              "each element is the last of its products, not their sum: = where += is needed.",
              [](const Matrix& X, const Matrix& W) -> Matrix {
                  const std::size_t last = X.shape(1) - 1;
                  Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
                  for (std::size_t i = 0; i < X.shape(0); ++i) {
                      for (std::size_t j = 0; j < W.shape(1); ++j) {
                          result(i, j) = X(i, last) * W(last, j);
                      }
                  }
                  return result;
              });

/// X · W in loops, with a sum that goes on from element to element, or over some components only.
Matrix in_loops(const Matrix& X, const Matrix& W, bool reset, std::size_t from, std::size_t to) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(X) + " and " + lesson::shape_text(W));
    }
    Matrix result = Matrix::from_shape({X.shape(0), W.shape(1)});
    double sum = 0;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            sum = reset ? 0 : sum;
            for (std::size_t k = from; k < to; ++k) {
                sum += X(i, k) * W(k, j);
            }
            result(i, j) = sum;
        }
    }
    return result;
}

MISCONCEPTION(
    project, sum_not_reset,
    "each element still holds the sums of the elements before it. The sum starts at 0 for "
    "every element: set it inside the loop over the columns.",
    [](const Matrix& X, const Matrix& W) -> Matrix {
        return in_loops(X, W, false, 0, X.shape(1));
    });

MISCONCEPTION(project, partial_sums_added,
              "an element is the sum of its partial sums, so that the first product counts as "
              "often as there are components, and the last once: += of the sum so far stands "
              "inside the loop over d_model. It belongs behind that loop, as =.",
              [](const Matrix& X, const Matrix& W) {
                  Matrix weighed = X;
                  for (std::size_t i = 0; i < X.shape(0); ++i) {
                      for (std::size_t k = 0; k < X.shape(1); ++k) {
                          weighed(i, k) *= static_cast<double>(X.shape(1) - k);
                      }
                  }
                  return oracle::matmul(weighed, W);
              });

MISCONCEPTION(project, last_component_left_out,
              "the last component of each row is left out of the sum: the loop over d_model ends "
              "one too early.",
              [](const Matrix& X, const Matrix& W) -> Matrix {
                  return in_loops(X, W, true, 0, X.shape(1) - 1);
              });

MISCONCEPTION(project, first_component_left_out,
              "the first component of each row is left out of the sum. Indices count from 0.",
              [](const Matrix& X, const Matrix& W) -> Matrix {
                  return in_loops(X, W, true, 1, X.shape(1));
              });

MISCONCEPTION(project, transposed_result,
              "these are the right numbers in a transposed matrix. Row i of the result belongs to "
              "position i: its shape is (n, d_out).",
              [](const Matrix& X, const Matrix& W) -> Matrix {
                  return transposed(oracle::matmul(X, W));
              });

// ---- 01.3 check_projection, known by how it behaves

MISCONCEPTION(check_projection, another_exception,
              "it throws, but not std::invalid_argument: perhaps an error of xtensor's own, which "
              "says nothing about your shapes. Compare the two sizes yourself, before any product, "
              "and throw std::invalid_argument.",
              [](const Matrix& X, const Matrix& W) {
                  if (X.shape(1) != W.shape(0)) {
                      throw std::runtime_error("incompatible dimensions");
                  }
              });

MISCONCEPTION(check_projection, never_throws,
              "nothing is thrown, whatever the shapes are. Is there a throw? An exception that is "
              "only made, std::invalid_argument(...);, is dropped at once, and so is one that the "
              "function catches itself. Nor is an operation that runs a proof that shapes fit: "
              "xtensor stretches a row or a column of one without a word.",
              [](const Matrix&, const Matrix&) {});

MISCONCEPTION(
    check_projection, assertion,
    "it ends the program, as assert() does. An assert is for mistakes in your own code, and "
    "is compiled away in a release build; wrong input deserves an exception.",
    [](const Matrix& X, const Matrix& W) {
        if (X.shape(1) != W.shape(0)) {
            std::abort();
        }
    });

void refuse_unless(bool fits, const Matrix& X, const Matrix& W) {
    if (!fits) {
        throw std::invalid_argument(lesson::shape_text(X) + " and " + lesson::shape_text(W));
    }
}

MISCONCEPTION(check_projection, inverted,
              "it throws when the shapes fit, and lets pass what does not: the condition is the "
              "wrong way round.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) != W.shape(0), X, W);
              });

MISCONCEPTION(
    check_projection, compares_rows,
    "it compares the rows of X with the rows of W. The rows of X are positions, and W knows "
    "nothing of those: what must agree is the columns of X and the rows of W, d_model.",
    [](const Matrix& X, const Matrix& W) { refuse_unless(X.shape(0) == W.shape(0), X, W); });

MISCONCEPTION(
    check_projection, compares_columns,
    "it compares the columns of X with the columns of W, as if this were X · Wᵀ. In X · W "
    "the columns of X meet the rows of W.",
    [](const Matrix& X, const Matrix& W) { refuse_unless(X.shape(1) == W.shape(1), X, W); });

MISCONCEPTION(
    check_projection, compares_outer_sizes,
    "it compares the rows of X with the columns of W: those are the two sizes that remain "
    "in the result, and they are free. The inner two must agree.",
    [](const Matrix& X, const Matrix& W) { refuse_unless(X.shape(0) == W.shape(1), X, W); });

MISCONCEPTION(
    check_projection, wants_equal_shapes,
    "it asks for two matrices of one shape, as an element-wise product would. X · W needs "
    "only the columns of X to equal the rows of W.",
    [](const Matrix& X, const Matrix& W) { refuse_unless(X.shape() == W.shape(), X, W); });

MISCONCEPTION(check_projection, always_throws,
              "it refuses every pair of shapes, also those that fit. The throw belongs inside an "
              "if.",
              [](const Matrix& X, const Matrix& W) { refuse_unless(false, X, W); });

MISCONCEPTION(check_projection, compares_sizes,
              "it compares the numbers of all elements, size(). What meets in the sum is the "
              "columns of X and the rows of W, whatever the other two sizes are.",
              [](const Matrix& X, const Matrix& W) { refuse_unless(X.size() == W.size(), X, W); });

MISCONCEPTION(check_projection, refuses_too_few_columns_only,
              "it refuses an X with fewer columns than W has rows, and accepts one with more. The "
              "two have to be equal: compare with !=.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) >= W.shape(0), X, W);
              });

MISCONCEPTION(check_projection, refuses_too_many_columns_only,
              "it refuses an X with more columns than W has rows, and accepts one with fewer. The "
              "two have to be equal: compare with !=.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) <= W.shape(0), X, W);
              });

MISCONCEPTION(check_projection, either_order_will_do,
              "it accepts shapes for which only W · X exists. The order is given: X · W.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) == W.shape(0) || X.shape(0) == W.shape(1), X, W);
              });

MISCONCEPTION(check_projection, wants_both_orders,
              "it asks that W · X exists, too. The rows of X and the columns of W are free: they "
              "are the sizes of the result.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) == W.shape(0) && X.shape(0) == W.shape(1), X, W);
              });

MISCONCEPTION(check_projection, wants_a_square,
              "it asks that X be square. The rows of X are positions, of which there may be any "
              "number.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) == W.shape(0) && X.shape(0) == X.shape(1), X, W);
              });

MISCONCEPTION(check_projection, one_stretches,
              "it lets a size of 1 pass for any other, as xtensor does when it stretches a row or "
              "a column. In X · W the columns of X and the rows of W have to be equal, 1 or not.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) == W.shape(0) || X.shape(1) == 1 || W.shape(0) == 1, X,
                                W);
              });

MISCONCEPTION(check_projection, refuses_zero,
              "it refuses a size of 0. No positions, or no components, are a case like any other: "
              "the columns of X equal the rows of W, or they do not.",
              [](const Matrix& X, const Matrix& W) {
                  refuse_unless(X.shape(1) == W.shape(0) && X.size() > 0 && W.size() > 0, X, W);
              });

} // namespace
