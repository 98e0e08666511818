#pragma once

// What becomes of arrays whose memory is read or written wrongly, of views that are assigned to,
// and of expressions that are computed later than one thinks. Wrong versions of several lessons are
// made of them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "attention/tensor.hpp"

namespace misread {

using attention::Matrix;

inline Matrix zeros_like(const Matrix& A) {
    return xt::zeros<double>({A.shape(0), A.shape(1)});
}

// ---- A view that is assigned to

constexpr const char* says_row_0 =
    "row 0 of the result ends as its last row should, and no other row is written: 0 stands where "
    "the index i is meant, or a view of row 0 is given another row in the loop, row = "
    "xt::row(result, i). That binds no name anew, as in Python, but copies the elements of row i "
    "into row 0. Make the view in the loop: auto row = xt::row(result, i);";

/// The last of the right rows at the top of what was there before.
inline Matrix last_at_the_top(const Matrix& right, Matrix before) {
    for (std::size_t j = 0; j < right.shape(1); ++j) {
        before(0, j) = right(right.shape(0) - 1, j);
    }
    return before;
}

// ---- Bytes for elements

constexpr const char* says_bytes =
    "only the first eighth is copied. std::memcpy counts bytes, and a double has 8 of them: "
    "multiply the number of elements by sizeof(double), or use std::copy_n, which counts elements. "
    "(size() is a number of elements already: divided by sizeof(double) it is an eighth of it.)";

/// As many bytes of an array as it has elements, and 0 for the rest.
template <class Array>
Array first_bytes(const Array& array) {
    Array copy = array;
    std::fill(copy.begin(), copy.end(), 0.0);
    std::memcpy(copy.data(), array.data(), array.size());
    return copy;
}

// ---- Where a row begins

constexpr const char* says_one_element_on =
    "each row is read as if it began one element after the row before it: data() + i. Row i begins "
    "i rows after the start, at data() + i times the number of columns.";

/// A matrix of which each row begins one element after the one before.
inline Matrix begun_one_element_on(const Matrix& A) {
    Matrix rows = zeros_like(A);
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        const std::size_t from = std::min(i, A.size() - A.shape(1)); // never past the end
        std::copy_n(A.data() + from, A.shape(1), rows.data() + i * A.shape(1));
    }
    return rows;
}

// ---- A row that is changed where it is only to be read

/// result(i, j) = Σ_c left(i, c), where row i of left has been multiplied by the rows 0 … j of
/// right, one after the other.
inline Matrix multiplied_in_place(const Matrix& left, const Matrix& right) {
    Matrix work = left;
    Matrix result = xt::zeros<double>({left.shape(0), right.shape(0)});
    for (std::size_t i = 0; i < left.shape(0); ++i) {
        for (std::size_t j = 0; j < right.shape(0); ++j) {
            for (std::size_t c = 0; c < left.shape(1); ++c) {
                work(i, c) *= right(j, c);
                result(i, j) += work(i, c);
            }
        }
    }
    return result;
}

// ---- What is computed anew whenever it is asked for

constexpr const char* says_sum_while_dividing =
    "the sum of a row is taken anew for each of its elements, while those before it have been "
    "divided already: only the first is right. An xt::sum that is kept with auto is such a sum, "
    "computed whenever it is asked for. Keep it in a double, or a Matrix, before you divide.";

constexpr const char* says_maximum_while_changing =
    "the maximum of a row is taken anew for each of its elements, while those before it hold "
    "exponentials already: after the largest score it is another one. An xt::amax that is kept "
    "with auto is such a maximum, computed whenever it is asked for. Keep it in a double, or a "
    "Matrix, before you change the row.";

constexpr const char* says_exponentials_of_exponentials =
    "the sum is of exp(exp(score - maximum) - maximum): an expression that is kept with auto is "
    "computed when it is asked for, and by then the array that it refers to holds exponentials. "
    "Keep it in a Matrix, or a Vector, before you change that array.";

inline void divide_while_summing(double* row, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) {
        row[j] /= std::accumulate(row, row + n, 0.0);
    }
}

inline void divide(double* row, std::size_t n, double sum) {
    std::transform(row, row + n, row, [=](double term) { return term / sum; });
}

/// Softmax of a row in place, whose maximum is taken each time.
inline void shift_while_changing(double* row, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) {
        row[j] = std::exp(row[j] - *std::max_element(row, row + n));
    }
    divide(row, n, std::accumulate(row, row + n, 0.0));
}

/// Softmax of a row in place, with terms exp(score − maximum) that `divide` divides: by (row, n,
/// maximum).
template <class Divide>
void softmax_with(double* row, std::size_t n, Divide divide) {
    const double maximum = *std::max_element(row, row + n);
    std::transform(row, row + n, row, [=](double score) { return std::exp(score - maximum); });
    divide(row, n, maximum);
}

inline void softmax_divided_while_summing(double* row, std::size_t n) {
    softmax_with(row, n,
                 [](double* terms, std::size_t of, double) { divide_while_summing(terms, of); });
}

inline void softmax_by_exponentials_of_exponentials(double* row, std::size_t n) {
    softmax_with(row, n, [](double* terms, std::size_t of, double maximum) {
        divide(terms, of, std::accumulate(terms, terms + of, 0.0, [=](double sum, double term) {
                   return sum + std::exp(term - maximum);
               }));
    });
}

/// Each row of a matrix, or all of a vector, changed in place.
template <class Change>
Matrix rows_changed(Matrix A, Change change) {
    for (std::size_t i = 0; i < A.shape(0) && A.shape(1) > 0; ++i) {
        change(A.data() + i * A.shape(1), A.shape(1));
    }
    return A;
}

} // namespace misread
