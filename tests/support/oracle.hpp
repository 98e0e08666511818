#pragma once

// The right answer, as plainly as possible: the formulas in loops, accumulated in long double and
// rounded to double once. Nothing here calls the library, so the two cannot share a mistake. Inputs
// may be double or float; results are double, so that float code has something more exact to
// compare with. Shapes are the contracts' own (see common/attention).

#include "attention/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace oracle {

using attention::Matrix;
using attention::Vector;
using Mask = xt::xtensor<bool, 2>;
using Real = long double;
using Row = std::vector<Real>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Wrong shapes here are a mistake of the test, not of the code under test.
inline void expect_equal(std::size_t a, std::size_t b) {
    if (a != b) {
        throw std::logic_error("oracle: the test passes shapes that do not fit");
    }
}

/// The beginning of a row: the long loops below do not use xtensor's checked indices.
template <class T>
const T* row_of(const xt::xtensor<T, 2>& A, std::size_t i) {
    return A.data() + i * A.shape(1);
}

/// Σ term(k) for k < n.
template <class Term>
Real sum(std::size_t n, const Term& term) {
    Real all = 0;
    for (std::size_t k = 0; k < n; ++k) {
        all += term(k);
    }
    return all;
}

template <class T>
Real dot(const T* a, const T* b, std::size_t n) {
    return sum(n, [=](std::size_t k) { return Real(a[k]) * Real(b[k]); });
}

/// element(i, j) at each place, rounded to T.
template <class T = double, class Element>
xt::xtensor<T, 2> filled(std::size_t rows, std::size_t columns, const Element& element) {
    xt::xtensor<T, 2> result = xt::xtensor<T, 2>::from_shape({rows, columns});
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            result.data()[i * columns + j] = static_cast<T>(element(i, j));
        }
    }
    return result;
}

template <class T>
Matrix matmul(const xt::xtensor<T, 2>& A, const xt::xtensor<T, 2>& B) {
    expect_equal(A.shape(1), B.shape(0));
    return filled(A.shape(0), B.shape(1), [&](std::size_t i, std::size_t j) {
        return sum(A.shape(1),
                   [&](std::size_t k) { return Real(row_of(A, i)[k]) * Real(row_of(B, k)[j]); });
    });
}

/// Q Kᵀ / divisor.
template <class Out = double, class T>
xt::xtensor<Out, 2> scores(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K, Real divisor) {
    expect_equal(Q.shape(1), K.shape(1));
    return filled<Out>(Q.shape(0), K.shape(0), [&](std::size_t i, std::size_t j) {
        return dot(row_of(Q, i), row_of(K, j), Q.shape(1)) / divisor;
    });
}

template <class T>
Matrix matmul_transposed(const xt::xtensor<T, 2>& A, const xt::xtensor<T, 2>& B) {
    return scores(A, B, 1);
}

template <class T>
Matrix scaled_scores(const xt::xtensor<T, 2>& Q, const xt::xtensor<T, 2>& K) {
    return scores(Q, K, std::sqrt(Real(Q.shape(1))));
}

/// All 0 if there is nothing but −∞.
inline Row softmax(Row scores) {
    const Real maximum = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
    for (Real& score : scores) {
        score = maximum == -infinity ? 0 : std::exp(score - maximum);
    }
    const Real all = std::accumulate(scores.begin(), scores.end(), Real(0));
    for (Real& weight : scores) {
        weight /= all > 0 ? all : 1;
    }
    return scores;
}

template <class T>
Vector softmax(const xt::xtensor<T, 1>& scores) {
    const Row weights = softmax(Row(scores.begin(), scores.end()));
    Vector rounded = Vector::from_shape({scores.size()});
    std::copy(weights.begin(), weights.end(), rounded.begin());
    return rounded;
}

template <class T>
Matrix softmax_rows(const xt::xtensor<T, 2>& scores) {
    Matrix weights = Matrix::from_shape(scores.shape());
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const Row row = softmax(Row(row_of(scores, i), row_of(scores, i) + scores.shape(1)));
        std::copy(row.begin(), row.end(), weights.data() + i * scores.shape(1));
    }
    return weights;
}

template <class T>
Matrix softmax_jacobian(const xt::xtensor<T, 1>& p) {
    return filled(p.size(), p.size(), [&](std::size_t i, std::size_t j) {
        return (i == j ? Real(p(i)) : 0) - Real(p(i)) * Real(p(j));
    });
}

/// Bahdanau's score, v · tanh(q_i + k_j), of queries q = S W_s and projected keys (n_keys, d_a).
inline Matrix additive_scores_from(const Matrix& S, const Matrix& keys, const Matrix& W_s,
                                   const Vector& v) {
    const Matrix queries = matmul(S, W_s);
    expect_equal(queries.shape(1), v.size());
    expect_equal(keys.shape(1), v.size());
    return filled(queries.shape(0), keys.shape(0), [&](std::size_t i, std::size_t j) {
        return sum(v.size(), [&](std::size_t a) {
            return v(a) * std::tanh(Real(queries(i, a)) + keys(j, a));
        });
    });
}

inline Matrix additive_scores(const Matrix& S, const Matrix& H, const Matrix& W_s,
                              const Matrix& W_h, const Vector& v) {
    return additive_scores_from(S, matmul(H, W_h), W_s, v);
}

} // namespace oracle
