#pragma once

// The oracle, continued: heads, positions, grouped queries. As in oracle.hpp: plain loops that do
// not call the library.

#include <optional>

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
    Matrix merged = Matrix::from_shape({heads.shape(1), heads.shape(0) * d});
    for (std::size_t i = 0; i < merged.shape(0); ++i) {
        for (std::size_t column = 0; column < merged.shape(1); ++column) {
            merged(i, column) = heads(column / d, i, column % d);
        }
    }
    return merged;
}

/// Of a struct { output, weights }: each lesson has its own.
template <class Result>
Result multi_head_attention(const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                            const Matrix& W_v, const Matrix& W_o, std::size_t n_heads,
                            const std::optional<xt::xtensor<bool, 2>>& mask) {
    const std::size_t n = X.shape(0);
    xt::xtensor<bool, 3> allowed = xt::ones<bool>({n_heads, n, n});
    for (std::size_t at = 0; mask && at < allowed.size(); ++at) {
        allowed.flat(at) = mask->flat(at % (n * n));
    }
    const Tensor3 nothing_added = xt::zeros<double>({n_heads, n, n});
    const BatchedAttention heads = scaled_dot_product_attention(
        split_heads(matmul(X, W_q), n_heads), split_heads(matmul(X, W_k), n_heads),
        split_heads(matmul(X, W_v), n_heads), allowed, nothing_added);
    return {matmul(merge_heads(heads.output), W_o), heads.weights};
}

/// The angle of column c, which it shares with the other of its pair.
inline long double angle(long double position, std::size_t c, std::size_t d) {
    const long double exponent = -2 * static_cast<long double>(c / 2) / static_cast<long double>(d);
    return position * std::pow(10000.0L, exponent);
}

inline Matrix sinusoidal_positions(std::size_t n, std::size_t d) {
    Matrix result = Matrix::from_shape({n, d});
    for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t c = 0; c < d; ++c) {
            const long double a = angle(static_cast<long double>(p), c, d);
            result(p, c) = static_cast<double>(c % 2 == 0 ? std::sin(a) : std::cos(a));
        }
    }
    return result;
}

inline Matrix rotate(const Matrix& X, const Vector& positions) {
    expect_equal(X.shape(0), positions.size());
    Matrix result = X;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t c = 0; c < X.shape(1); ++c) {
            const long double a = angle(positions(i), c, X.shape(1));
            const long double x = X(i, c / 2 * 2), y = X(i, c / 2 * 2 + 1);
            result(i, c) = static_cast<double>(c % 2 == 0 ? x * std::cos(a) - y * std::sin(a)
                                                          : x * std::sin(a) + y * std::cos(a));
        }
    }
    return result;
}

inline Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               const Vector& positions) {
    return attention(rotate(Q, positions), rotate(K, positions), V).output;
}

inline Matrix grouped_query_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                      std::size_t n_kv_heads) {
    const Tensor3 keys = split_heads(K, n_kv_heads), values = split_heads(V, n_kv_heads);
    const std::size_t n_heads = Q.shape(1) / keys.shape(2);
    const Tensor3 queries = split_heads(Q, n_heads);
    Tensor3 outputs = Tensor3::from_shape({n_heads, Q.shape(0), values.shape(2)});
    for (std::size_t h = 0; h < n_heads; ++h) {
        const std::size_t group = h / (n_heads / n_kv_heads);
        const Matrix Q_h = xt::view(queries, h), K_h = xt::view(keys, group);
        const Matrix V_h = xt::view(values, group);
        xt::view(outputs, h) = attention(Q_h, K_h, V_h).output;
    }
    return merge_heads(outputs);
}

inline double kv_cache_bytes(std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,
                             std::size_t d_k, std::size_t d_v, std::size_t bytes_each) {
    long double bytes = static_cast<long double>(d_k) + static_cast<long double>(d_v);
    for (const std::size_t size : {n_tokens, n_layers, n_kv_heads, bytes_each}) {
        bytes *= static_cast<long double>(size);
    }
    return static_cast<double>(bytes);
}

} // namespace oracle
