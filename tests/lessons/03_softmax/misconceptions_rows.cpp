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

MISCONCEPTION(softmax_rows, sum_of_all_rows,
              "each row has its own maximum subtracted, but all are divided by one sum, that of "
              "the whole matrix. Each query has a whole of its own to share out: every row needs "
              "its own sum.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix terms = in_each_row([](const Vector& row) {
                      const double maximum = largest(row);
                      return mapped(row, [=](double s) { return std::exp(s - maximum); });
                  })(scores);
                  return terms / xt::sum(terms)();
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
    softmax_rows, maximum_of_the_matrix_where_it_spans_little,
    "one maximum, that of the whole matrix, is subtracted from every row where the scores lie "
    "within some 700 of each other, so that no exponential is 0. But before it is 0 it loses "
    "digits, and a row far below the others has only such. Each row needs its own maximum, always.",
    [](const Matrix& scores) -> Matrix {
        const double maximum = largest_of_all(scores);
        const bool near = maximum - *std::min_element(scores.begin(), scores.end()) < 745;
        return in_each_row(
            [=](const Vector& row) { return shares(row, near ? maximum : largest(row)); })(scores);
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

MISCONCEPTION(softmax_rows, maxima_without_keep_dims,
              "the sums are right, but from each column the maximum of a row is subtracted: amax "
              "over axis 1 gives a Vector, and xtensor lines a Vector up with the columns. "
              "xt::keep_dims keeps the shape (n_queries, 1), which lines up with the rows.",
              [](const Matrix& scores) -> Matrix {
                  const Vector maxima = xt::amax(scores, {1});
                  const Matrix shifted = scores - maxima;
                  return in_each_row([](const Vector& row) { return shares(row, 0); })(shifted);
              });

MISCONCEPTION(softmax_rows, sum_of_the_column,
              "each row has its maximum subtracted, but each column is divided by its sum. A query "
              "shares out over the keys: sum along axis 1.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix maxima = xt::amax(scores, {1}, xt::keep_dims);
                  const Matrix terms = xt::exp(scores - maxima);
                  const Matrix sums = xt::sum(terms, {0}, xt::keep_dims);
                  return terms / sums;
              });

MISCONCEPTION(
    softmax_rows, maximum_of_row_0,
    "the maximum of row 0 is subtracted from every row. In a row far below it every exponential is "
    "0, and 0 / 0 is NaN; one far above it overflows. Each row needs its own.",
    [](const Matrix& scores) -> Matrix {
        const Vector first = xt::row(scores, 0);
        const double maximum = largest(first);
        return in_each_row([=](const Vector& row) { return shares(row, maximum); })(scores);
    });

MISCONCEPTION(
    softmax_rows, first_row_only,
    "only row 0 has weights, the others are 0. Does a return stand inside the loop over the rows?",
    [](const Matrix& scores) -> Matrix {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        const Vector first = xt::row(scores, 0);
        xt::row(weights, 0) = shares(first, largest(first));
        return weights;
    });

MISCONCEPTION(softmax_rows, first_row_changed_only,
              "only row 0 holds weights, the others are still the scores. Does a return stand "
              "inside the loop over the rows?",
              [](const Matrix& scores) -> Matrix {
                  Matrix weights = scores;
                  const Vector first = xt::row(scores, 0);
                  xt::row(weights, 0) = shares(first, largest(first));
                  return weights;
              });

MISCONCEPTION(softmax_rows, as_many_keys_as_queries,
              "the loop over the keys ends at the number of queries, scores.shape(0). A row has "
              "scores.shape(1) scores, which may be more or fewer.",
              [](const Matrix& scores) -> Matrix {
                  const std::size_t n_queries = scores.shape(0);
                  if (n_queries > scores.shape(1)) {
                      throw std::runtime_error("out of range");
                  }
                  return in_each_row([=](Vector row) -> Vector {
                      for (std::size_t j = n_queries; j < row.size(); ++j) {
                          row(j) = -std::numeric_limits<double>::infinity();
                      }
                      return shares(row, largest(row));
                  })(scores);
              });

MISCONCEPTION(softmax_rows, last_row_unchanged,
              "the last row still holds the scores: the loop over the rows ends one too early.",
              [](const Matrix& scores) -> Matrix {
                  Matrix weights = oracle::softmax_rows(scores);
                  const auto last = static_cast<std::ptrdiff_t>(scores.shape(0)) - 1;
                  xt::row(weights, last) = xt::row(scores, last);
                  return weights;
              });

MISCONCEPTION(softmax_rows, last_row_left_out,
              "the last row is 0: the loop over the rows ends one too early.",
              [](const Matrix& scores) -> Matrix {
                  Matrix weights = oracle::softmax_rows(scores);
                  xt::row(weights, static_cast<std::ptrdiff_t>(scores.shape(0)) - 1) = 0;
                  return weights;
              });

MISCONCEPTION(softmax_rows, maxima_themselves,
              "these are the maxima of the rows. They are only what is subtracted; then come exp, "
              "the sums and the division.",
              [](const Matrix& scores) -> Matrix { return xt::amax(scores, {1}, xt::keep_dims); });

MISCONCEPTION(softmax_rows, divided_by_n_queries,
              "the weights are divided by the number of queries, too, so that all of them together "
              "come to 1. Each query has a whole of its own to share out.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix weights = oracle::softmax_rows(scores);
                  return weights / static_cast<double>(scores.shape(0));
              });

MISCONCEPTION(softmax_rows, rows_and_then_columns,
              "after the rows, the columns are shared out as well. A query shares out its "
              "attention; nothing says that a key receives 1 in all.",
              [](const Matrix& scores) -> Matrix {
                  const Matrix weights = oracle::softmax_rows(scores);
                  return transposed(oracle::softmax_rows(transposed(weights)));
              });

MISCONCEPTION(softmax_rows, earlier_keys_only,
              "a row shares out over the keys up to its own position only. What a position may see "
              "is the subject of lesson 05; here each query sees all keys.",
              [](const Matrix& scores) -> Matrix {
                  Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
                  for (std::size_t i = 0; i < scores.shape(0); ++i) {
                      const std::size_t n = std::min(i + 1, scores.shape(1));
                      const Vector seen = xt::view(scores, i, xt::range(std::size_t{0}, n));
                      xt::view(weights, i, xt::range(std::size_t{0}, n)) =
                          shares(seen, largest(seen));
                  }
                  return weights;
              });

} // namespace
