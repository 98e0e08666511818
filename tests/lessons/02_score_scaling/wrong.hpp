#pragma once

// What several misconceptions of lesson 02 are made of.

#include <cmath>

#include "exports.hpp"
#include "support/oracle.hpp"

namespace wrong {

using lesson::Matrix;

inline Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

inline double squared_length(const Matrix& A, std::size_t row) {
    double sum = 0;
    for (std::size_t c = 0; c < A.shape(1); ++c) {
        sum += A(row, c) * A(row, c);
    }
    return sum;
}

inline Matrix cosines(const Matrix& Q, const Matrix& K) {
    Matrix scores = oracle::raw_scores(Q, K);
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            scores(i, j) /= std::sqrt(squared_length(Q, i) * squared_length(K, j));
        }
    }
    return scores;
}

[[noreturn]] inline void refuse(const Matrix& Q, const Matrix& K) {
    throw std::invalid_argument("Q is " + lesson::shape_text(Q) + ", K is " +
                                lesson::shape_text(K));
}

/// A wrong function behind the check that stands in the stub, as a learner's is: without it the two
/// would part on shapes that do not fit.
template <class Wrong>
auto checked(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K) -> Matrix {
        if (Q.shape(1) != K.shape(1)) {
            refuse(Q, K);
        }
        return wrong(Q, K);
    };
}

/// Wrong raw scores behind the check of 02.2, divided as they should be.
template <class Raw>
auto checked_and_scaled(Raw raw) {
    return checked([raw](const Matrix& Q, const Matrix& K) -> Matrix {
        if (Q.shape(1) == 0) {
            refuse(Q, K);
        }
        return raw(Q, K) / std::sqrt(static_cast<double>(Q.shape(1)));
    });
}

/// Plain loops with a term of the learner's. They are written out, and not as a product, because
/// they run or fail where a learner's would: a term may read what is not there.
template <class Term>
Matrix in_loops(std::size_t n_rows, std::size_t n_columns, std::size_t n_terms, Term term) {
    Matrix result = xt::zeros<double>({n_rows, n_columns});
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n_columns; ++j) {
            for (std::size_t c = 0; c < n_terms; ++c) {
                result(i, j) += term(i, j, c);
            }
        }
    }
    return result;
}

} // namespace wrong

/// Wrong dot products: in 02.1, and in 02.2.
#define WRONG_DOT_PRODUCTS(name, explanation, ...)                                                 \
    MISCONCEPTION(raw_scores, name, explanation, checked(__VA_ARGS__));                            \
    MISCONCEPTION(scaled_scores, name##_when_scaled, explanation, checked_and_scaled(__VA_ARGS__))
