#pragma once

// The oracle, continued: heads, positions, grouped queries.

#include "support/oracle_attention.hpp"

namespace oracle {

inline Tensor3 split_heads(const Matrix& X, std::size_t n_heads) {
    const std::size_t d = X.shape(1) / n_heads;
    Tensor3 heads = Tensor3::from_shape({n_heads, X.shape(0), d});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t column = 0; column < X.shape(1); ++column) {
            heads(column / d, i, column % d) = X(i, column);
        }
    }
    return heads;
}

inline Matrix merge_heads(const Tensor3& heads) {
    const std::size_t d = heads.shape(2);
    return filled(heads.shape(1), heads.shape(0) * d, [&](std::size_t i, std::size_t column) {
        return heads(column / d, i, column % d);
    });
}

/// For a struct { output, weights }: each lesson has its own.
template <class Result>
Result multi_head_attention(const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                            const Matrix& W_v, const Matrix& W_o, std::size_t n_heads,
                            const std::optional<Mask>& mask) {
    const std::size_t n = X.shape(0);
    Tensor3 added = xt::zeros<double>({n_heads, n, n});
    if (mask) {
        added = xt::broadcast(additive_mask(*mask), added.shape());
    }
    const BatchedAttention heads = scaled_dot_product_attention(
        split_heads(matmul(X, W_q), n_heads), split_heads(matmul(X, W_k), n_heads),
        split_heads(matmul(X, W_v), n_heads), added);
    return {matmul(merge_heads(heads.output), W_o), heads.weights};
}

/// The angle of column c, which it shares with the other of its pair.
inline Real angle(Real position, std::size_t c, std::size_t d) {
    return position * std::pow(10000.0L, -2 * Real(c / 2) / Real(d));
}

inline Matrix sinusoidal_positions(std::size_t n, std::size_t d) {
    return filled(n, d, [=](std::size_t p, std::size_t c) {
        const Real a = angle(Real(p), c, d);
        return c % 2 == 0 ? std::sin(a) : std::cos(a);
    });
}

inline Matrix rotate(const Matrix& X, const Vector& positions) {
    expect_equal(X.shape(0), positions.size());
    return filled(X.shape(0), X.shape(1), [&](std::size_t i, std::size_t c) {
        const Real a = angle(positions(i), c, X.shape(1));
        const Real x = X(i, c / 2 * 2), y = X(i, c / 2 * 2 + 1);
        return c % 2 == 0 ? x * std::cos(a) - y * std::sin(a) : x * std::sin(a) + y * std::cos(a);
    });
}

inline Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               const Vector& positions) {
    return attention(rotate(Q, positions), rotate(K, positions), V).output;
}

inline Matrix grouped_query_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      std::size_t n_kv_heads) {
    const Tensor3 keys = split_heads(K, n_kv_heads);
    const Tensor3 queries = split_heads(Q, Q.shape(1) / keys.shape(2));
    const Tensor3 nothing = xt::zeros<double>({queries.shape(0), Q.shape(0), K.shape(0)});
    return merge_heads(
        scaled_dot_product_attention(queries, keys, split_heads(V, n_kv_heads), nothing).output);
}

} // namespace oracle
