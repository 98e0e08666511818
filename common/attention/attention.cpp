#include "attention/attention.hpp"

#include "attention/batches.hpp"
#include "attention/masks.hpp"
#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/shapes.hpp"
#include "attention/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attention {
namespace {

template <class T>
using MatrixOf = xt::xtensor<T, 2>;

template <class T>
MatrixOf<T> weights_of(const MatrixOf<T>& Q, const MatrixOf<T>& K) {
    check_dk("attention_weights", Q, K);
    return softmax_rows(scaled_scores(Q, K));
}

template <class T>
MatrixOf<T> aggregate_of(const MatrixOf<T>& weights, const MatrixOf<T>& V) {
    require_shared("aggregate", "n_keys", Axis{"weights", weights, 1}, Axis{"V", V, 0});
    return matmul(weights, V);
}

template <class Result, class T>
Result attention_of(const MatrixOf<T>& Q, const MatrixOf<T>& K, const MatrixOf<T>& V) {
    check_dk("attention", Q, K);
    require_shared("attention", "n_keys", Axis{"K", K, 0}, Axis{"V", V, 0});
    MatrixOf<T> weights = softmax_rows(scaled_scores(Q, K));
    MatrixOf<T> output = matmul(weights, V);
    return {std::move(output), std::move(weights)};
}

// One element of a batch, or head of one: the last two axes.
template <class Tensor>
auto element(const Tensor& X, std::size_t head) {
    const std::size_t rank = X.dimension();
    auto M =
        MatrixOf<typename Tensor::value_type>::from_shape({X.shape(rank - 2), X.shape(rank - 1)});
    std::copy_n(X.data() + head * M.size(), M.size(), M.data());
    return M;
}

template <class Tensor, class T>
void set_element(Tensor& X, std::size_t head, const MatrixOf<T>& M) {
    std::copy_n(M.data(), M.size(), X.data() + head * M.size());
}

// The product would turn weight 0 · V = ∞ into NaN. So values that are not finite are 0 in it,
// which leaves every other sum as it is, and are added by hand where they are allowed.
template <class T>
MatrixOf<T> aggregate_allowed(const MatrixOf<T>& weights, MatrixOf<T> V, const Mask& allowed) {
    std::vector<std::pair<std::size_t, T>> not_finite; // where in V, and what was there
    for (std::size_t flat = 0; flat < V.size(); ++flat) {
        T& value = V.data()[flat];
        if (!std::isfinite(value)) {
            not_finite.emplace_back(flat, value);
            value = 0;
        }
    }
    MatrixOf<T> output = matmul(weights, V);
    for (const auto& [flat, value] : not_finite) {
        const std::size_t key = flat / V.shape(1);
        const std::size_t column = flat % V.shape(1);
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            if (allowed(i, key)) {
                output(i, column) += weights(i, key) * value;
            }
        }
    }
    return output;
}

template <class Result, class Tensor>
Result batched(const Tensor& Q, const Tensor& K, const Tensor& V, const AttentionOptions& options) {
    using T = typename Tensor::value_type;
    const char* function = "scaled_dot_product_attention";
    check_batches(function, Q, K, V);
    const Broadcast<bool> mask(function, "mask", options.mask, Q, K);
    const Broadcast<double> additive(function, "additive", options.additive, Q, K);

    const std::size_t rank = Q.dimension();
    const std::size_t n_queries = Q.shape(rank - 2);
    const std::size_t n_keys = K.shape(rank - 2);
    auto output_shape = Q.shape();
    output_shape[rank - 1] = V.shape(rank - 1);
    auto weights_shape = Q.shape();
    weights_shape[rank - 1] = n_keys;
    auto output = Tensor::from_shape(output_shape);
    auto weights = Tensor::from_shape(weights_shape);
    auto allowed = Mask::from_shape({n_queries, n_keys});
    for (std::size_t h = 0; h < heads_of(Q); ++h) {
        MatrixOf<T> scores = options.scale ? matmul_transposed(element(Q, h), element(K, h))
                                           : scaled_scores(element(Q, h), element(K, h));
        if (options.scale) {
            scores *= static_cast<T>(*options.scale);
        }
        const bool* const allows = mask.of_head(h);
        const double* const adds = additive.of_head(h);
        for (std::size_t i = 0; i < n_queries; ++i) {
            T* score = scores.data() + i * n_keys;
            bool* allow = allowed.data() + i * n_keys;
            for (std::size_t j = 0; j < n_keys; ++j) {
                const T added =
                    adds == nullptr
                        ? T{0}
                        : static_cast<T>(
                              adds[i * additive.row_stride() + j * additive.key_stride()]);
                allow[j] =
                    (allows == nullptr || allows[i * mask.row_stride() + j * mask.key_stride()]) &&
                    (!options.is_causal || j <= i) && added != -std::numeric_limits<T>::infinity();
                score[j] += added;
            }
        }
        const MatrixOf<T> element_weights = masked_softmax(scores, allowed);
        set_element(output, h, aggregate_allowed(element_weights, element(V, h), allowed));
        set_element(weights, h, element_weights);
    }
    return {std::move(output), std::move(weights)};
}

} // namespace

Matrix attention_weights(const Matrix& Q, const Matrix& K) {
    return weights_of(Q, K);
}
MatrixF attention_weights(const MatrixF& Q, const MatrixF& K) {
    return weights_of(Q, K);
}

Matrix aggregate(const Matrix& weights, const Matrix& V) {
    return aggregate_of(weights, V);
}
MatrixF aggregate(const MatrixF& weights, const MatrixF& V) {
    return aggregate_of(weights, V);
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V) {
    return attention_of<Attention>(Q, K, V);
}
AttentionF attention(const MatrixF& Q, const MatrixF& K, const MatrixF& V) {
    return attention_of<AttentionF>(Q, K, V);
}

BatchedAttention scaled_dot_product_attention(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                                              const AttentionOptions& options) {
    return batched<BatchedAttention>(Q, K, V, options);
}
BatchedAttentionF scaled_dot_product_attention(const Tensor3F& Q, const Tensor3F& K,
                                               const Tensor3F& V, const AttentionOptions& options) {
    return batched<BatchedAttentionF>(Q, K, V, options);
}
HeadedAttention scaled_dot_product_attention(const Tensor4& Q, const Tensor4& K, const Tensor4& V,
                                             const AttentionOptions& options) {
    return batched<HeadedAttention>(Q, K, V, options);
}
HeadedAttentionF scaled_dot_product_attention(const Tensor4F& Q, const Tensor4F& K,
                                              const Tensor4F& V, const AttentionOptions& options) {
    return batched<HeadedAttentionF>(Q, K, V, options);
}

} // namespace attention
