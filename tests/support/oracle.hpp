#pragma once

// What the right answer is, said as plainly as it can be: the formulas in loops, accumulated in
// long double and rounded to double once. Nothing here calls the library, so the two cannot share a
// mistake. Inputs may be double or float; results are double, so that float code has something more
// exact to compare with. Shapes are the contracts' own (see common/attention).

#include "attention/tensor.hpp"

#include <cmath>
#include <stdexcept>

namespace oracle {

using attention::Matrix;
using attention::Vector;

// Wrong shapes here are a mistake of the test, not of the code under test.
inline void expect_equal(std::size_t a, std::size_t b) {
    if (a != b) {
        throw std::logic_error("oracle: the test passes shapes that do not fit");
    }
}

/// Where a row begins: the long loops below do without xtensor's checked indices.
template <class T>
const T* row_of(const xt::xtensor<T, 2>& A, std::size_t i) {
    return A.data() + i * A.shape(1);
}

template <class T>
long double dot(const T* a, const T* b, std::size_t n) {
    long double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
        sum += static_cast<long double>(a[k]) * static_cast<long double>(b[k]);
    }
    return sum;
}

template <class T>
Matrix matmul(const xt::xtensor<T, 2>& A, const xt::xtensor<T, 2>& B) {
    expect_equal(A.shape(1), B.shape(0));
    Matrix C = Matrix::from_shape({A.shape(0), B.shape(1)});
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < B.shape(1); ++j) {
            long double sum = 0;
            for (std::size_t k = 0; k < A.shape(1); ++k) {
                sum += static_cast<long double>(row_of(A, i)[k]) *
                       static_cast<long double>(row_of(B, k)[j]);
            }
            C(i, j) = static_cast<double>(sum);
        }
    }
    return C;
}

template <class T>
Matrix matmul_transposed(const xt::xtensor<T, 2>& A, const xt::xtensor<T, 2>& B) {
    expect_equal(A.shape(1), B.shape(1));
    Matrix C = Matrix::from_shape({A.shape(0), B.shape(0)});
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < B.shape(0); ++j) {
            C(i, j) = static_cast<double>(dot(row_of(A, i), row_of(B, j), A.shape(1)));
        }
    }
    return C;
}

template <class T>
Matrix project(const xt::xtensor<T, 2>& X, const xt::xtensor<T, 2>& W) {
    return matmul(X, W);
}

template <class T>
Matrix raw_scores(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K) {
    return matmul_transposed(Q, K);
}

template <class T>
Matrix scaled_scores(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K) {
    expect_equal(Q.shape(1), K.shape(1));
    const long double root = std::sqrt(static_cast<long double>(Q.shape(1)));
    Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            const long double sum = dot(row_of(Q, i), row_of(K, j), Q.shape(1));
            scores(i, j) = static_cast<double>(sum / root);
        }
    }
    return scores;
}

template <class T>
Vector softmax(const xt::xtensor<T, 1>& scores) {
    Vector weights = Vector::from_shape({scores.size()});
    if (scores.size() == 0) {
        return weights;
    }
    long double maximum = scores(0);
    for (const T score : scores) {
        maximum = score > maximum ? static_cast<long double>(score) : maximum;
    }
    long double sum = 0;
    for (const T score : scores) {
        sum += std::exp(static_cast<long double>(score) - maximum);
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const long double term = std::exp(static_cast<long double>(scores(j)) - maximum);
        weights(j) = static_cast<double>(term / sum);
    }
    return weights;
}

template <class T>
Matrix softmax_rows(const xt::xtensor<T, 2>& scores) {
    Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        xt::xtensor<T, 1> row = xt::xtensor<T, 1>::from_shape({scores.shape(1)});
        for (std::size_t j = 0; j < row.size(); ++j) {
            row(j) = scores(i, j);
        }
        const Vector row_weights = softmax(row);
        for (std::size_t j = 0; j < row.size(); ++j) {
            weights(i, j) = row_weights(j);
        }
    }
    return weights;
}

template <class T>
Matrix softmax_jacobian(const xt::xtensor<T, 1>& p) {
    Matrix J = Matrix::from_shape({p.size(), p.size()});
    for (std::size_t i = 0; i < p.size(); ++i) {
        for (std::size_t j = 0; j < p.size(); ++j) {
            const long double diagonal = i == j ? static_cast<long double>(p(i)) : 0.0L;
            const long double outer =
                static_cast<long double>(p(i)) * static_cast<long double>(p(j));
            J(i, j) = static_cast<double>(diagonal - outer);
        }
    }
    return J;
}

} // namespace oracle
