// Misconceptions of 03.2: what can go wrong between rows. Within a row: misconceptions.cpp.

#include "wrong.hpp"

#include "support/oracle.hpp"

using namespace wrong;

namespace {

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

MISCONCEPTION(softmax_rows, over_columns,
              "here the columns sum to 1. A row belongs to a query, and it is the query that "
              "shares out its attention over the keys: sum along a row, which is xtensor's axis 1.",
              [](const Matrix& scores) -> Matrix {
                  return transposed(oracle::softmax_rows(transposed(scores)));
              });

MISCONCEPTION(softmax_rows, over_the_whole_matrix,
              "here all weights of the matrix together sum to 1. Each query has a whole of its "
              "own to share out: every row needs its own sum.",
              [](const Matrix& scores) -> Matrix {
                  Vector all = Vector::from_shape({scores.size()});
                  std::copy(scores.begin(), scores.end(), all.begin());
                  const Vector weights = oracle::softmax(all);
                  Matrix result = Matrix::from_shape({scores.shape(0), scores.shape(1)});
                  std::copy(weights.begin(), weights.end(), result.begin());
                  return result;
              });

double largest_of_all(const Matrix& scores) {
    double found = -std::numeric_limits<double>::infinity();
    for (const double score : scores) {
        found = std::max(found, score);
    }
    return found;
}

MISCONCEPTION(softmax_rows, maximum_of_the_matrix,
              "one maximum, that of the whole matrix, is subtracted from every row. In a row far "
              "below it every exponential is 0, and 0 / 0 is NaN. Each row needs its own maximum.",
              [](const Matrix& scores) -> Matrix {
                  const double maximum = largest_of_all(scores);
                  return in_each_row([=](const Vector& row) { return shares(row, maximum); })(
                      scores);
              });

MISCONCEPTION(
    softmax_rows, maximum_of_the_matrix_and_epsilon,
    "one maximum, that of the whole matrix, is subtracted from every row, and a small number in "
    "the denominator hides what follows: a row far below it has weights of 0, which do not sum to "
    "1. Each row needs its own maximum, and then no such number.",
    [](const Matrix& scores) -> Matrix {
        const double maximum = largest_of_all(scores);
        return in_each_row([=](const Vector& row) {
            const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
            const double sum = sum_of(terms) + 1e-9;
            return mapped(terms, [=](double term) { return term / sum; });
        })(scores);
    });

MISCONCEPTION(softmax_rows, maximum_carried_over,
              "the maximum is not started afresh for each row: after a high row, a low one still "
              "has the high one's, every exponential in it is 0, and 0 / 0 is NaN. Declare the "
              "variable inside the loop over the rows.",
              [](const Matrix& scores) -> Matrix {
                  double maximum = -std::numeric_limits<double>::infinity();
                  return in_each_row([&](const Vector& row) {
                      maximum = std::max(maximum, largest(row));
                      return shares(row, maximum);
                  })(scores);
              });

MISCONCEPTION(softmax_rows, sum_carried_over,
              "the first row is right and the later ones are too small: the sum is not started at "
              "0 again for each row. Declare the variable inside the loop over the rows.",
              [](const Matrix& scores) -> Matrix {
                  double sum = 0;
                  return in_each_row([&](const Vector& row) {
                      const double maximum = largest(row);
                      const Vector terms =
                          mapped(row, [=](double s) { return std::exp(s - maximum); });
                      sum += sum_of(terms);
                      return mapped(terms, [=](double term) { return term / sum; });
                  })(scores);
              });

MISCONCEPTION(softmax_rows, first_row_everywhere,
              "every row holds the weights of row 0. Each query has scores of its own: look where "
              "the row index should go into the loop.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix weights = oracle::softmax_rows(scores);
                  return in_each_row([&](const Vector&) -> Vector {
                      return xt::view(weights, 0, xt::all());
                  })(scores);
              });

MISCONCEPTION(softmax_rows, rows_without_keep_dims,
              "each column is divided by the sum of a row: a reduction over axis 1 gives a Vector, "
              "and xtensor lines a Vector up with the columns. A square matrix lets that pass "
              "without a word. xt::keep_dims keeps the shape (n_queries, 1), which lines up with "
              "the rows.",
              [](const Matrix& scores) -> Matrix {
                  const Vector maxima = xt::amax(scores, {1});
                  const Matrix terms = xt::exp(scores - maxima);
                  const Vector sums = xt::sum(terms, {1});
                  return terms / sums;
              });

MISCONCEPTION(softmax_rows, sums_without_keep_dims,
              "the maxima are right, but each column is divided by the sum of a row: a sum over "
              "axis 1 gives a Vector, and xtensor lines a Vector up with the columns. "
              "xt::keep_dims keeps the shape (n_queries, 1), which lines up with the rows.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix maxima = xt::amax(scores, {1}, xt::keep_dims);
                  const Matrix terms = xt::exp(scores - maxima);
                  const Vector sums = xt::sum(terms, {1});
                  return terms / sums;
              });

MISCONCEPTION(softmax_rows, exponentials_without_keep_dims,
              "each column is divided by the sum of a row: a sum over axis 1 gives a Vector, and "
              "xtensor lines a Vector up with the columns. xt::keep_dims keeps the shape "
              "(n_queries, 1), which lines up with the rows. (Rows need a maximum each, too.)",
              [](const Matrix& scores) -> Matrix {
                  const Matrix terms = xt::exp(scores);
                  const Vector sums = xt::sum(terms, {1});
                  return terms / sums;
              });

MISCONCEPTION(softmax_rows, maximum_of_the_column,
              "the maximum of each column is subtracted, and then each row is divided by its sum. "
              "Only a constant that all scores of a row share cancels in the quotient; this one "
              "changes from key to key, and the weights with it.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix maxima = xt::amax(scores, {0}, xt::keep_dims);
                  const Matrix shifted = scores - maxima;
                  return in_each_row([](const Vector& row) { return shares(row, 0); })(shifted);
              });

MISCONCEPTION(softmax_rows, transposed_result,
              "these are the right numbers in a transposed matrix. Row i of the result belongs to "
              "query i: its shape is that of the scores.",
              [](const Matrix& scores) -> Matrix {
                  return transposed(oracle::softmax_rows(scores));
              });

} // namespace
