#pragma once

// What the right answers of this lesson are, in plain loops. Of the contract it uses only the
// checks that stand in the stubs.

#include <cmath>
#include <functional>
#include <vector>

#include "multi_head.hpp"
#include "support/oracle_attention.hpp"

namespace plain {

using lesson::Mask;
using lesson::Matrix;
using lesson::MultiHead;
using lesson::Tensor3;
using lesson::Vector;
using Heads = std::vector<Matrix>; // n_heads of (n, d)
using OptionalMask = std::optional<Mask>;

inline double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

/// result(i, j) = element(i, j).
template <class Element>
Matrix matrix_of(std::size_t rows, std::size_t columns, Element element) {
    Matrix result = Matrix::from_shape({rows, columns});
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            result(i, j) = element(i, j);
        }
    }
    return result;
}

inline Matrix columns(const Matrix& X, std::size_t first, std::size_t count) {
    return matrix_of(X.shape(0), count, [&](auto i, auto c) { return X(i, first + c); });
}

inline Heads split(const Matrix& X, std::size_t n_heads) {
    const std::size_t d = X.shape(1) / n_heads;
    Heads heads;
    for (std::size_t h = 0; h < n_heads; ++h) {
        heads.push_back(columns(X, h * d, d));
    }
    return heads;
}

inline Matrix merge(const Heads& heads) {
    const std::size_t d = heads[0].shape(1);
    return matrix_of(heads[0].shape(0), heads.size() * d,
                     [&](auto i, auto column) { return heads[column / d](i, column % d); });
}

inline Tensor3 stacked(const Heads& heads) {
    Tensor3 result = Tensor3::from_shape({heads.size(), heads[0].shape(0), heads[0].shape(1)});
    for (std::size_t h = 0; h < heads.size(); ++h) {
        for (std::size_t i = 0; i < heads[h].shape(0); ++i) {
            for (std::size_t c = 0; c < heads[h].shape(1); ++c) {
                result(h, i, c) = heads[h](i, c);
            }
        }
    }
    return result;
}

inline Heads unstacked(const Tensor3& tensor) {
    Heads heads;
    for (std::size_t h = 0; h < tensor.shape(0); ++h) {
        heads.push_back(matrix_of(tensor.shape(1), tensor.shape(2),
                                  [&](auto i, auto c) { return tensor(h, i, c); }));
    }
    return heads;
}

inline Mask all_allowed(std::size_t n) {
    return xt::ones<bool>({n, n});
}

/// The sizes that a divisor may be made of.
struct Sizes {
    std::size_t n, d_model, n_heads, d_k, d_v;
};

/// Multi-head attention, each of whose parts a misconception may exchange for a wrong one.
struct Mechanism {
    std::function<Heads(const Matrix&, std::size_t)> split_queries = split;
    std::function<Heads(const Matrix&, std::size_t)> split_keys = split;
    std::function<Heads(const Matrix&, std::size_t)> split_values = split;
    std::function<double(const Sizes&)> divisor = [](auto& size) { return root(size.d_k); };
    std::function<Matrix(const Matrix& scores, const Mask&)> weigh = oracle::masked_softmax<double>;
    std::function<Mask(const Mask&, std::size_t head)> mask_of = [](auto& mask, auto) {
        return mask;
    };
    std::function<void(Heads& weights)> change = [](auto&) {};
    std::function<Matrix(const Matrix&, const Matrix&)> mix = oracle::matmul<double>;
    std::function<Matrix(const Heads&)> merge_outputs = merge;
    std::function<Matrix(const Matrix&, const Matrix&)> finish = oracle::matmul<double>;

    MultiHead operator()(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                         const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) const {
        lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
        const std::size_t n = X.shape(0);
        const double divided_by =
            divisor({n, X.shape(1), n_heads, W_q.shape(1) / n_heads, W_v.shape(1) / n_heads});
        const Heads Q = split_queries(oracle::matmul(X, W_q), n_heads);
        const Heads K = split_keys(oracle::matmul(X, W_k), n_heads);
        const Heads V = split_values(oracle::matmul(X, W_v), n_heads);
        Heads weights, outputs;
        for (std::size_t h = 0; h < Q.size(); ++h) {
            const Matrix scores = oracle::raw_scores(Q[h], K[h]) / divided_by;
            weights.push_back(weigh(scores, mask_of(mask.value_or(all_allowed(n)), h)));
        }
        change(weights);
        for (std::size_t h = 0; h < Q.size(); ++h) {
            outputs.push_back(mix(weights[h], V[h]));
        }
        return {finish(merge_outputs(outputs), W_o), stacked(weights)};
    }
};

/// The right ω of pair k.
inline long double omega(std::size_t k, std::size_t d) {
    return std::pow(10000.0L, -2.0L * static_cast<long double>(k) / static_cast<long double>(d));
}

inline Matrix sinusoidal_positions(std::size_t n, std::size_t d) {
    return matrix_of(n, d, [&](auto p, auto c) {
        const long double angle = static_cast<long double>(p) * omega(c / 2, d);
        return static_cast<double>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    });
}

inline Matrix rotate(const Matrix& X, const Vector& positions) {
    const std::size_t d = X.shape(1);
    return matrix_of(X.shape(0), d, [&](auto i, auto c) {
        const long double angle = static_cast<long double>(positions(i)) * omega(c / 2, d);
        const long double x = X(i, c - c % 2);
        const long double y = X(i, c - c % 2 + 1);
        return static_cast<double>(c % 2 == 0 ? x * std::cos(angle) - y * std::sin(angle)
                                              : x * std::sin(angle) + y * std::cos(angle));
    });
}

inline Matrix attention_of(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return oracle::matmul(oracle::softmax_rows(oracle::scaled_scores(Q, K)), V);
}

inline Matrix rotary_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               const Vector& positions) {
    return attention_of(rotate(Q, positions), rotate(K, positions), V);
}

/// Grouped queries, each of whose parts a misconception may exchange for a wrong one. shared(h,
/// n_heads, n_kv_heads): which head of keys and values the head h of queries uses.
struct GroupedMechanism {
    using Shared = std::function<std::size_t(std::size_t, std::size_t, std::size_t)>;
    static std::size_t own_group(std::size_t h, std::size_t n_heads, std::size_t n_kv_heads) {
        return h / (n_heads / n_kv_heads);
    }

    Shared key_of = own_group;
    Shared value_of = own_group;
    std::function<Heads(const Matrix&, std::size_t)> split_queries = split;
    std::function<Heads(const Matrix&, std::size_t)> split_keys = split;
    std::function<Heads(const Matrix&, std::size_t)> split_values = split;
    std::function<double(const Matrix& Q, const Matrix& K, const lesson::Grouped&)> divisor =
        [](auto&, auto&, auto& size) { return root(size.d_k); };
    std::function<Matrix(const Matrix&)> weigh = oracle::softmax_rows<double>;
    std::function<void(Heads& weights, std::size_t n_kv_heads)> change = [](auto&, auto) {};
    std::function<Matrix(const Matrix&, const Matrix&)> mix = oracle::matmul<double>;
    std::function<Matrix(const Heads&, std::size_t n_kv_heads)> merge_outputs =
        [](auto& heads, auto) { return merge(heads); };

    Matrix operator()(const Matrix& Q, const Matrix& K, const Matrix& V,
                      std::size_t n_kv_heads) const {
        const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
        const Heads queries = split_queries(Q, size.n_heads);
        const Heads keys = split_keys(K, n_kv_heads);
        const Heads values = split_values(V, n_kv_heads);
        Heads weights, outputs;
        for (std::size_t h = 0; h < size.n_heads; ++h) {
            const Matrix& key = keys.at(key_of(h, size.n_heads, n_kv_heads));
            const Matrix scores = oracle::raw_scores(queries[h], key) / divisor(Q, K, size);
            weights.push_back(weigh(scores));
        }
        change(weights, n_kv_heads);
        for (std::size_t h = 0; h < size.n_heads; ++h) {
            outputs.push_back(mix(weights[h], values.at(value_of(h, size.n_heads, n_kv_heads))));
        }
        return merge_outputs(outputs, n_kv_heads);
    }
};

} // namespace plain
