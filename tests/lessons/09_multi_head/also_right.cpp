// Right solutions, written otherwise: each must pass.

#include <complex>

#include "attention/attention.hpp"
#include "attention/masks.hpp"
#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "exports.hpp"
#include "support/oracle_heads.hpp"

using lesson::Mask;
using lesson::Matrix;
using lesson::MultiHead;
using lesson::Tensor3;
using lesson::Vector;

namespace {

using In = const Matrix&;
using OptionalMask = std::optional<Mask>;

Matrix columns(In X, std::size_t first, std::size_t count) {
    return xt::view(X, xt::all(), xt::range(first, first + count));
}

/// element(i, j) in every place.
template <class Element>
Matrix matrix_of(std::size_t rows, std::size_t n_columns, Element element) {
    Matrix result = Matrix::from_shape({rows, n_columns});
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < n_columns; ++j) {
            result(i, j) = element(i, j);
        }
    }
    return result;
}

// ---- 09.1

ALTERNATIVE(split_heads, by_views, [](In X, std::size_t n_heads) -> Tensor3 {
    const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
    Tensor3 heads = Tensor3::from_shape({n_heads, X.shape(0), d});
    for (std::size_t h = 0; h < n_heads; ++h) {
        xt::view(heads, h) = xt::view(X, xt::all(), xt::range(h * d, (h + 1) * d));
    }
    return heads;
});
ALTERNATIVE(split_heads, by_reshape_and_transpose, [](In X, std::size_t n_heads) -> Tensor3 {
    const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
    Tensor3 cut = Tensor3::from_shape({X.shape(0), n_heads, d});
    std::copy(X.begin(), X.end(), cut.begin());
    return xt::transpose(cut, {1, 0, 2});
});
ALTERNATIVE(split_heads, over_the_columns_of_X, [](In X, std::size_t n_heads) -> Tensor3 {
    if (n_heads == 0 || X.shape(1) % n_heads != 0) {
        throw std::invalid_argument(std::to_string(X.shape(1)) + " columns for " +
                                    std::to_string(n_heads) + " heads");
    }
    const std::size_t d = X.shape(1) / n_heads;
    Tensor3 heads = xt::zeros<double>({n_heads, X.shape(0), d});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < X.shape(1); ++j) {
            heads(j / d, i, j % d) = X(i, j);
        }
    }
    return heads;
});
ALTERNATIVE(merge_heads, by_views, [](const Tensor3& heads) -> Matrix {
    const std::size_t d = heads.shape(2);
    Matrix merged = xt::zeros<double>({heads.shape(1), heads.shape(0) * d});
    for (std::size_t h = 0; h < heads.shape(0); ++h) {
        xt::view(merged, xt::all(), xt::range(h * d, (h + 1) * d)) = xt::view(heads, h);
    }
    return merged;
});
ALTERNATIVE(merge_heads, by_transpose_and_reshape, [](const Tensor3& heads) -> Matrix {
    const Tensor3 by_position = xt::transpose(heads, {1, 0, 2});
    Matrix merged = Matrix::from_shape({heads.shape(1), heads.shape(0) * heads.shape(2)});
    std::copy(by_position.begin(), by_position.end(), merged.begin());
    return merged;
});

// ---- 09.2

/// One head after the other, each from its own columns of the weights.
ALTERNATIVE(multi_head_attention, weights_cut_instead,
            [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
               const OptionalMask& mask) -> MultiHead {
                lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                const std::size_t d_k = W_q.shape(1) / n_heads;
                const std::size_t d_v = W_v.shape(1) / n_heads;
                const std::size_t n = X.shape(0);
                MultiHead result{xt::zeros<double>({n, W_o.shape(1)}),
                                 Tensor3::from_shape({n_heads, n, n})};
                for (std::size_t h = 0; h < n_heads; ++h) {
                    const Matrix Q = attention::matmul(X, columns(W_q, h * d_k, d_k));
                    const Matrix K = attention::matmul(X, columns(W_k, h * d_k, d_k));
                    const Matrix V = attention::matmul(X, columns(W_v, h * d_v, d_v));
                    const Matrix scores = attention::scaled_scores(Q, K);
                    const Matrix weights = mask ? attention::masked_softmax(scores, *mask)
                                                : attention::softmax_rows(scores);
                    xt::view(result.weights, h) = weights;
                    // Each head's rows of W_o: the sum over heads is the product with all of it.
                    const Matrix W_h = xt::view(W_o, xt::range(h * d_v, (h + 1) * d_v), xt::all());
                    result.output += attention::matmul(attention::matmul(weights, V), W_h);
                }
                return result;
            });
ALTERNATIVE(multi_head_attention, in_long_double,
            [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
               const OptionalMask& mask) {
                lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                return oracle::multi_head_attention<MultiHead>(X, W_q, W_k, W_v, W_o, n_heads,
                                                               mask);
            });
ALTERNATIVE(multi_head_attention, queries_scaled_and_scores_added_to,
            [](In X, In W_q, In W_k, In W_v, In W_o, std::size_t n_heads,
               const OptionalMask& mask) -> MultiHead {
                lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                const std::size_t n = X.shape(0);
                const double scale =
                    std::sqrt(static_cast<double>(n_heads) / static_cast<double>(W_q.shape(1)));
                const Tensor3 Q = scale * lesson::split_heads(attention::matmul(X, W_q), n_heads);
                const Tensor3 K = lesson::split_heads(attention::matmul(X, W_k), n_heads);
                const Tensor3 V = lesson::split_heads(attention::matmul(X, W_v), n_heads);
                MultiHead result{{}, xt::zeros<double>({n_heads, n, n})};
                Tensor3 outputs = xt::zeros<double>(V.shape());
                for (std::size_t h = 0; h < n_heads; ++h) {
                    for (std::size_t i = 0; i < n; ++i) {
                        std::vector<double> row(n, -std::numeric_limits<double>::infinity());
                        for (std::size_t j = 0; j < n; ++j) {
                            if (!mask || (*mask)(i, j)) {
                                row[j] = 0;
                                for (std::size_t c = 0; c < Q.shape(2); ++c) {
                                    row[j] += Q(h, i, c) * K(h, j, c);
                                }
                            }
                        }
                        const double most = *std::max_element(row.begin(), row.end());
                        if (std::isinf(most)) {
                            continue;
                        }
                        double sum = 0;
                        for (double& score : row) {
                            sum += score = std::exp(score - most);
                        }
                        for (std::size_t j = 0; j < n; ++j) {
                            result.weights(h, i, j) = row[j] / sum;
                            for (std::size_t c = 0; c < V.shape(2); ++c) {
                                outputs(h, i, c) += result.weights(h, i, j) * V(h, j, c);
                            }
                        }
                    }
                }
                result.output = attention::matmul(lesson::merge_heads(outputs), W_o);
                return result;
            });

// ---- 09.3

ALTERNATIVE(sinusoidal_positions, divided_by_a_power, [](std::size_t n, std::size_t d) -> Matrix {
    if (d % 2 == 1 || d == 0) {
        throw std::invalid_argument("d = " + std::to_string(d) + " is odd or 0");
    }
    return matrix_of(n, d, [&](auto p, auto c) {
        const std::size_t pair = c / 2;
        const double angle =
            static_cast<double>(p) /
            std::pow(10000.0, static_cast<double>(2 * pair) / static_cast<double>(d));
        // A cosine is a sine a quarter of a turn ahead.
        return std::sin(angle + (c % 2 == 1 ? 1.57079632679489661923 : 0.0));
    });
});
ALTERNATIVE(sinusoidal_positions, by_turning_on, [](std::size_t n, std::size_t d) -> Matrix {
    lesson::require_even("sinusoidal_positions", "d", d);
    Matrix result = xt::zeros<double>({n, d});
    for (std::size_t k = 0; k < d / 2; ++k) {
        const double omega =
            std::pow(10000.0, -static_cast<double>(k) / (static_cast<double>(d) / 2));
        const std::complex<double> turn = std::polar(1.0, omega);
        std::complex<double> now = 1;
        for (std::size_t p = 0; p < n; ++p, now *= turn) {
            result(p, 2 * k) = now.imag();
            result(p, 2 * k + 1) = now.real();
        }
    }
    return result;
});
ALTERNATIVE(rotate, complex_numbers, [](In X, const Vector& positions) -> Matrix {
    lesson::require_fit(X, positions);
    Matrix result = X;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t c = 0; c < X.shape(1); c += 2) {
            const double omega =
                1 / std::pow(10000.0, static_cast<double>(c) / static_cast<double>(X.shape(1)));
            const std::complex<double> turned =
                std::complex<double>(X(i, c), X(i, c + 1)) * std::polar(1.0, positions(i) * omega);
            result(i, c) = turned.real();
            result(i, c + 1) = turned.imag();
        }
    }
    return result;
});
ALTERNATIVE(rotary_attention, only_the_difference,
            [](In Q, In K, In V, const Vector& positions) -> Matrix {
                lesson::require_fit(Q, K, V, positions);
                const std::size_t n = Q.shape(0);
                Matrix scores = Matrix::from_shape({n, n});
                for (std::size_t j = 0; j < n; ++j) {
                    // The queries as key j sees them; the keys do not turn at all.
                    const Vector from_j = positions - positions(j);
                    const Matrix turned = lesson::rotate(Q, from_j);
                    for (std::size_t i = 0; i < n; ++i) {
                        double sum = 0;
                        for (std::size_t c = 0; c < Q.shape(1); ++c) {
                            sum += turned(i, c) * K(j, c);
                        }
                        scores(i, j) = sum / std::sqrt(static_cast<double>(Q.shape(1)));
                    }
                }
                return attention::matmul(attention::softmax_rows(scores), V);
            });

// ---- 09.4

ALTERNATIVE(grouped_query_attention, keys_and_values_repeated,
            [](In Q, In K, In V, std::size_t n_kv_heads) -> Matrix {
                const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
                const std::size_t group = size.n_heads / n_kv_heads;
                const auto repeated = [&](In heads) -> Tensor3 {
                    return xt::repeat(lesson::split_heads(heads, n_kv_heads), group, 0);
                };
                const auto result = attention::scaled_dot_product_attention(
                    lesson::split_heads(Q, size.n_heads), repeated(K), repeated(V));
                return lesson::merge_heads(result.output);
            });
#define BYTES(name, expression)                                                                    \
    ALTERNATIVE(kv_cache_bytes, name,                                                              \
                [](std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,             \
                   std::size_t d_k, std::size_t d_v, std::size_t bytes_each) -> double {           \
                    const auto real = [](std::size_t n) { return static_cast<double>(n); };        \
                    return expression;                                                             \
                })

BYTES(from_the_last_factor, real(bytes_each) * (real(d_k) + real(d_v)) * real(n_kv_heads) *
                                real(n_layers) * real(n_tokens));
BYTES(keys_and_values_apart,
      real(n_tokens) * real(n_layers) * real(n_kv_heads) * real(d_k) * real(bytes_each) +
          real(n_tokens) * real(n_layers) * real(n_kv_heads) * real(d_v) * real(bytes_each));

} // namespace
