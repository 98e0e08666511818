// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// arrays are read and written by their memory, and views of them changed.

#include <cmath>

#include "exports.hpp"
#include "support/misread.hpp"
#include "support/oracle.hpp"

namespace misconceptions_views {

using lesson::Matrix;
using lesson::QKV;

namespace {

using M = const Matrix&;
using S = std::size_t;

/// A wrong product behind the check that stands in the stub.
template <class Wrong>
auto checked(Wrong wrong) {
    return [wrong](M X, M W) -> Matrix {
        if (X.shape(1) != W.shape(0)) {
            throw std::invalid_argument(lesson::shape_text(X) + " and " + lesson::shape_text(W));
        }
        return wrong(X, W);
    };
}

template <class Wrong>
auto in_all_three(Wrong wrong) {
    return [wrong](M X, M W_q, M W_k, M W_v) -> QKV {
        return {checked(wrong)(X, W_q), checked(wrong)(X, W_k), checked(wrong)(X, W_v)};
    };
}

/// A wrong product: 01.1, and all three in 01.2.
#define WRONG_PRODUCT(name, explanation, ...)                                                      \
    MISCONCEPTION(project, name, explanation, checked(__VA_ARGS__));                               \
    MISCONCEPTION(compute_qkv, name##_in_three, explanation, in_all_three(__VA_ARGS__))

Matrix transposed(M A) {
    return xt::transpose(A);
}

WRONG_PRODUCT(all_written_to_row_0, misread::says_row_0, [](M X, M W) {
    const Matrix right = oracle::matmul(X, W);
    return misread::last_at_the_top(right, misread::zeros_like(right));
});

WRONG_PRODUCT(
    row_multiplied_in_place,
    "the row of X is multiplied where it is only to be read: row *= column changes what the view "
    "stands for, and column j meets the row times all columns before it. Only the first column of "
    "the result is right. Keep the products apart: xt::sum(row * column)().",
    [](M X, M W) { return misread::multiplied_in_place(X, transposed(W)); });

WRONG_PRODUCT(column_multiplied_in_place,
              "the column of W is multiplied where it is only to be read: column *= row changes "
              "what the view stands for, and position i meets the column times all rows before it. "
              "Only the first row of the result is right. Keep the products apart: xt::sum(row * "
              "column)().",
              [](M X, M W) { return transposed(misread::multiplied_in_place(transposed(W), X)); });

WRONG_PRODUCT(rows_begin_one_element_on, misread::says_one_element_on,
              [](M X, M W) { return oracle::matmul(misread::begun_one_element_on(X), W); });

WRONG_PRODUCT(weight_read_along_its_rows,
              "column j of W is read from data() + j on, one element after the other: that goes "
              "along a row. From one element of a column to the next it is a whole row, d_out "
              "elements; W(k, j) counts by itself.",
              [](M X, M W) {
                  Matrix read = W;
                  for (S k = 0; k < W.shape(0); ++k) {
                      for (S j = 0; j < W.shape(1); ++j) {
                          read(k, j) = W.data()[std::min(k + j, W.size() - 1)];
                      }
                  }
                  return oracle::matmul(X, read);
              });

WRONG_PRODUCT(
    an_eighth_of_the_sums_reset,
    "the sums of a row still hold those of the rows before it, but for their first eighth: "
    "std::memset counts bytes, and a double has 8 of them. Multiply the number of elements by "
    "sizeof(double), or use std::fill_n, which counts elements.",
    [](M X, M W) {
        Matrix result = oracle::matmul(X, W);
        std::vector<double> sums(W.shape(1), 0.0);
        for (S i = 0; i < X.shape(0); ++i) {
            std::memset(sums.data(), 0, sums.size());
            for (S j = 0; j < sums.size(); ++j) {
                result(i, j) = sums[j] += result(i, j);
            }
        }
        return result;
    });

WRONG_PRODUCT(an_eighth_of_the_input_copied, misread::says_bytes,
              [](M X, M W) { return oracle::matmul(misread::first_bytes(X), W); });
WRONG_PRODUCT(an_eighth_of_the_weight_copied, misread::says_bytes,
              [](M X, M W) { return oracle::matmul(X, misread::first_bytes(W)); });
WRONG_PRODUCT(an_eighth_of_the_result_copied, misread::says_bytes,
              [](M X, M W) { return misread::first_bytes(oracle::matmul(X, W)); });

/// X · W, column j divided by the length of column j of W, or by its square.
auto onto_directions(int power) {
    return [=](M X, M W) {
        Matrix result = oracle::matmul(X, W);
        for (S j = 0; j < W.shape(1); ++j) {
            double square = 0;
            for (S k = 0; k < W.shape(0); ++k) {
                square += W(k, j) * W(k, j);
            }
            for (S i = 0; i < X.shape(0) && square > 0; ++i) {
                result(i, j) /= power == 1 ? std::sqrt(square) : square;
            }
        }
        return result;
    };
}

constexpr const char* says_lengths =
    "each column of the result is divided by the length of its column of W, or by the square of "
    "it, as where one projects onto a direction in geometry. Here the weights are learned, and "
    "their lengths with them: X · W, and nothing is divided.";

WRONG_PRODUCT(divided_by_the_length_of_the_column, says_lengths, onto_directions(1));
WRONG_PRODUCT(divided_by_the_square_of_the_length, says_lengths, onto_directions(2));

// ---- 01.2 compute_qkv: one buffer for all three

constexpr const char* says_one_buffer =
    "one array holds all three products, one after the other, and is not set back to 0 between "
    "them: K holds Q as well, and V holds both. Start each product with zeros.";

/// The three, each added to what is in a buffer as long as the longest of them.
QKV in_one_buffer(M X, M W_q, M W_k, M W_v) {
    std::vector<double> buffer(X.shape(0) * std::max({W_q.shape(1), W_k.shape(1), W_v.shape(1)}),
                               0.0);
    const auto added = [&](M W) {
        Matrix product = checked(oracle::matmul<double>)(X, W);
        for (S k = 0; k < product.size(); ++k) {
            product.flat(k) = buffer[k] += product.flat(k);
        }
        return product;
    };
    const Matrix Q = added(W_q), K = added(W_k);
    return {Q, K, added(W_v)};
}

MISCONCEPTION(compute_qkv, one_buffer_not_reset, says_one_buffer, in_one_buffer);
MISCONCEPTION(compute_qkv, keys_in_the_buffer_of_the_queries,
              "Q and K share an array that is not set back to 0 between them: K holds Q as well. "
              "Start each product with zeros.",
              [](M X, M W_q, M W_k, M W_v) -> QKV {
                  QKV result = in_one_buffer(X, W_q, W_k, W_v);
                  result.V = checked(oracle::matmul<double>)(X, W_v);
                  return result;
              });

// ---- Numbers that are nearly equal

constexpr const char* says_nearly_equal =
    "a weight that is nearly that of the queries is taken for the same, and the queries are "
    "copied. Weights that differ in the tenth digit, or are both tiny, are two weights: about ten "
    "digits are asked for. Project by each, or compare with ==.";

/// K and V are Q where their weight is W_q within bounds, as of numpy.allclose.
auto copied_where_close(double relative, double absolute) {
    return [=](M X, M W_q, M W_k, M W_v) -> QKV {
        const auto close = [&](M W) {
            bool all = W.shape() == W_q.shape();
            for (S k = 0; all && k < W.size(); ++k) {
                all = std::abs(W.flat(k) - W_q.flat(k)) <=
                      absolute + relative * std::abs(W_q.flat(k));
            }
            return all;
        };
        const auto view = [&](M W) { return checked(oracle::matmul<double>)(X, W); };
        return {view(W_q), view(close(W_k) ? W_q : W_k), view(close(W_v) ? W_q : W_v)};
    };
}

MISCONCEPTION(compute_qkv, copied_where_all_close, says_nearly_equal,
              copied_where_close(1e-5, 1e-8));
MISCONCEPTION(compute_qkv, copied_within_a_part_of_1e_9, says_nearly_equal,
              copied_where_close(1e-9, 0));

// ---- Rows that look alike

WRONG_PRODUCT(row_of_one_that_looks_alike,
              "a row is taken for an earlier one, and gets its result, where the first number, the "
              "last and the sum are the same. Rows may agree in those and differ in between: "
              "compare all numbers, or compute each row.",
              [](M X, M W) {
                  Matrix result = oracle::matmul(X, W);
                  const auto sum = [&](S i) {
                      return std::accumulate(&X(i, 0), &X(i, 0) + X.shape(1), 0.0);
                  };
                  const S last = X.shape(1) - 1;
                  for (S i = 0; i < X.shape(0) && X.shape(1) > 0; ++i) {
                      for (S before = 0; before < i; ++before) {
                          if (X(i, 0) == X(before, 0) && X(i, last) == X(before, last) &&
                              sum(i) == sum(before)) {
                              xt::view(result, i) = xt::view(result, before);
                              break;
                          }
                      }
                  }
                  return result;
              });

} // namespace

} // namespace misconceptions_views
