#pragma once

// What the wrong versions of lesson 09 are put together from.

#include <algorithm>
#include <cmath>
#include <limits>

#include "exports.hpp"
#include "plain.hpp"

namespace wrong {

using plain::Heads;
using plain::Mask;
using plain::Matrix;
using plain::matrix_of;
using plain::Mechanism;
using plain::OptionalMask;
using plain::root;
using plain::Tensor3;
using plain::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

inline double real(std::size_t n) {
    return static_cast<double>(n);
}

inline Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

/// A with 0 where not kept(i, j).
template <class Kept>
Matrix zero_unless(const Matrix& A, Kept kept) {
    return matrix_of(A.shape(0), A.shape(1),
                     [&](auto i, auto j) { return kept(i, j) ? A(i, j) : 0.0; });
}

inline Matrix filled(const Matrix& scores, const Mask& mask, double stand_in) {
    return matrix_of(scores.shape(0), scores.shape(1),
                     [&](auto i, auto j) { return mask(i, j) ? scores(i, j) : stand_in; });
}

/// The same numbers in row-major order, under the shape (n_heads, n, d).
inline Heads reshaped(const Matrix& X, std::size_t n_heads) {
    const std::size_t d = X.shape(1) / n_heads;
    Heads heads;
    for (std::size_t h = 0; h < n_heads; ++h) {
        heads.push_back(matrix_of(
            X.shape(0), d, [&](auto i, auto c) { return X.flat((h * X.shape(0) + i) * d + c); }));
    }
    return heads;
}

/// Every n_heads-th column.
inline Heads interleaved(const Matrix& X, std::size_t n_heads) {
    Heads heads;
    for (std::size_t h = 0; h < n_heads; ++h) {
        heads.push_back(matrix_of(X.shape(0), X.shape(1) / n_heads,
                                  [&](auto i, auto c) { return X(i, c * n_heads + h); }));
    }
    return heads;
}

inline Heads first_for_all(const Matrix& X, std::size_t n_heads) {
    return Heads(n_heads, plain::split(X, n_heads).front());
}

inline Heads last_for_all(const Matrix& X, std::size_t n_heads) {
    return Heads(n_heads, plain::split(X, n_heads).back());
}

inline Heads reversed(const Matrix& X, std::size_t n_heads) {
    Heads heads = plain::split(X, n_heads);
    std::reverse(heads.begin(), heads.end());
    return heads;
}

/// The numbers of (n_heads, n, d) in row-major order, under the shape (n, n_heads · d).
inline Matrix merged_by_reshape(const Heads& heads) {
    const Tensor3 tensor = plain::stacked(heads);
    return matrix_of(tensor.shape(1), tensor.shape(0) * tensor.shape(2), [&](auto i, auto j) {
        return tensor.flat(i * tensor.shape(0) * tensor.shape(2) + j);
    });
}

inline Matrix merged_interleaved(const Heads& heads) {
    return matrix_of(heads[0].shape(0), heads.size() * heads[0].shape(1),
                     [&](auto i, auto j) { return heads[j % heads.size()](i, j / heads.size()); });
}

inline Matrix merged_reversed(Heads heads) {
    std::reverse(heads.begin(), heads.end());
    return plain::merge(heads);
}

/// The first `count` rows of W.
inline Matrix first_rows(const Matrix& W, std::size_t count) {
    return matrix_of(count, W.shape(1), [&](auto i, auto j) { return W(i, j); });
}

inline Matrix sum_of(const Heads& heads) {
    Matrix sum = heads[0];
    for (std::size_t h = 1; h < heads.size(); ++h) {
        sum += heads[h];
    }
    return sum;
}

// ---- Weights out of scores, wrongly.

inline Matrix softmax_of_columns(const Matrix& scores) {
    return transposed(oracle::softmax_rows(transposed(scores)));
}

inline Matrix softmax_of_everything(const Matrix& scores) {
    const Matrix terms = xt::exp(scores - xt::amax(scores)());
    return terms / xt::sum(terms)();
}

/// exp(s) / Σ exp(s), with no maximum subtracted.
inline Matrix softmax_unshifted(const Matrix& scores) {
    const Matrix terms = xt::exp(scores);
    const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
    return terms / sums;
}

/// The largest of each row is sought from 0.
inline Matrix softmax_from_0(const Matrix& scores) {
    const Matrix largest = xt::amax(scores, {1}, xt::keep_dims);
    return softmax_unshifted(scores - xt::maximum(largest, 0.0));
}

/// s / Σ s.
inline Matrix without_exponential(const Matrix& scores) {
    const Matrix sums = xt::sum(scores, {1}, xt::keep_dims);
    return scores / sums;
}

/// 1 for the largest weight of each row, 0 for the others.
inline Matrix hard(const Matrix& scores) {
    Matrix result = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const auto row = xt::view(scores, i, xt::all());
        const auto best = std::max_element(row.begin(), row.end()) - row.begin();
        result(i, static_cast<std::size_t>(best)) = 1;
    }
    return result;
}

} // namespace wrong

/// A softmax (or what stands for it) of a matrix of scores, in each of the three that have one.
#define IN_EVERY_ATTENTION(name, explanation, softmax)                                             \
    MISCONCEPTION(multi_head_attention, name, explanation,                                         \
                  Mechanism{.weigh = [](auto& scores, auto& mask) {                                \
                      return softmax(filled(scores, mask, -infinity));                             \
                  }});                                                                             \
    MISCONCEPTION(                                                                                 \
        rotary_attention, name, explanation,                                                       \
        [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) -> Matrix { \
            lesson::require_fit(Q, K, V, positions);                                               \
            const Matrix scores =                                                                  \
                oracle::scaled_scores(plain::rotate(Q, positions), plain::rotate(K, positions));   \
            return oracle::matmul(softmax(scores), V);                                             \
        });                                                                                        \
    MISCONCEPTION(grouped_query_attention, name, explanation,                                      \
                  plain::GroupedMechanism{.weigh = softmax})
