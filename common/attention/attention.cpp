#include "attention/attention.hpp"

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
using Tensor3Of = xt::xtensor<T, 3>;

// The last axis of Q and K, whatever the rank.
template <class Array>
void check_dk(const char* function, const Array& Q, const Array& K) {
    const std::size_t last = Q.dimension() - 1;
    require_shared(function, "d_k", Axis{"Q", Q, last}, Axis{"K", K, last});
    if (Q.shape(last) == 0) {
        throw std::invalid_argument(std::string(function) +
                                    ": d_k must be at least 1, got 0; Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K));
    }
}

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

// A mask as the loops read it: an axis that is missing or 1 has stride 0.
template <class T>
class Broadcast {
public:
    template <class Q, class K>
    Broadcast(const char* name, const std::optional<xt::xarray<T>>& mask, const Q& queries,
              const K& keys) {
        if (!mask) {
            return;
        }
        const std::string function = "scaled_dot_product_attention: ";
        const std::size_t rank = mask->dimension();
        if (rank != 2 && rank != 3) {
            throw std::invalid_argument(function + name + " must have rank 2 or 3, got " +
                                        std::to_string(rank) + "; " + name + " is " +
                                        shape_text(*mask));
        }
        const std::size_t target[] = {queries.shape(0), queries.shape(1), keys.shape(1)};
        std::size_t stride = 1;
        for (std::size_t axis = 3; axis-- > 3 - rank;) {
            const std::size_t size = mask->shape(axis + rank - 3);
            if (size != target[axis] && size != 1) {
                throw std::invalid_argument(function + name +
                                            " must broadcast to (batch, n_queries, n_keys), got " +
                                            shape_text(*mask) + "; Q is " + shape_text(queries) +
                                            ", K is " + shape_text(keys));
            }
            strides_[axis] = size == 1 ? 0 : stride;
            stride *= size;
        }
        data_ = mask->data();
    }

    bool is_given() const { return data_ != nullptr; }
    T operator()(std::size_t b, std::size_t i, std::size_t j) const {
        return data_[b * strides_[0] + i * strides_[1] + j * strides_[2]];
    }

private:
    const T* data_ = nullptr;
    std::size_t strides_[3] = {0, 0, 0};
};

template <class T>
MatrixOf<T> element(const Tensor3Of<T>& X, std::size_t b) {
    auto M = MatrixOf<T>::from_shape({X.shape(1), X.shape(2)});
    std::copy_n(X.data() + b * M.size(), M.size(), M.data());
    return M;
}

template <class T>
void set_element(Tensor3Of<T>& X, std::size_t b, const MatrixOf<T>& M) {
    std::copy_n(M.data(), M.size(), X.data() + b * M.size());
}

// The product would turn weight 0 · V = ∞ into NaN. So values that are not finite are 0 in it,
// which leaves every other sum as it is, and are added by hand where they are allowed.
template <class T>
MatrixOf<T> aggregate_allowed(const MatrixOf<T>& weights, MatrixOf<T> V, const Mask& allowed) {
    std::vector<std::pair<std::size_t, T>> wild; // where in V, and what was there
    for (std::size_t flat = 0; flat < V.size(); ++flat) {
        T& value = V.data()[flat];
        if (!std::isfinite(value)) {
            wild.emplace_back(flat, value);
            value = 0;
        }
    }
    MatrixOf<T> output = matmul(weights, V);
    for (const auto& [flat, value] : wild) {
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

template <class Array>
void check_inputs(const Array& Q, const Array& K, const Array& V) {
    const char* function = "scaled_dot_product_attention";
    require_shared(function, "batch", Axis{"Q", Q, 0}, Axis{"K", K, 0});
    require_shared(function, "batch", Axis{"K", K, 0}, Axis{"V", V, 0});
    check_dk(function, Q, K);
    require_shared(function, "n_keys", Axis{"K", K, 1}, Axis{"V", V, 1});
}

template <class Result, class T>
Result batched(const Tensor3Of<T>& Q, const Tensor3Of<T>& K, const Tensor3Of<T>& V,
               const AttentionOptions& options) {
    check_inputs(Q, K, V);
    const Broadcast<bool> mask("mask", options.mask, Q, K);
    const Broadcast<double> additive("additive", options.additive, Q, K);

    const std::size_t batch = Q.shape(0);
    const std::size_t n_queries = Q.shape(1);
    const std::size_t n_keys = K.shape(1);
    auto output = Tensor3Of<T>::from_shape({batch, n_queries, V.shape(2)});
    auto weights = Tensor3Of<T>::from_shape({batch, n_queries, n_keys});
    auto allowed = Mask::from_shape({n_queries, n_keys});
    for (std::size_t b = 0; b < batch; ++b) {
        MatrixOf<T> scores = scaled_scores(element(Q, b), element(K, b));
        for (std::size_t i = 0; i < n_queries; ++i) {
            T* score = scores.data() + i * n_keys;
            bool* allow = allowed.data() + i * n_keys;
            for (std::size_t j = 0; j < n_keys; ++j) {
                const T added = additive.is_given() ? static_cast<T>(additive(b, i, j)) : T{0};
                allow[j] = (!mask.is_given() || mask(b, i, j)) && (!options.is_causal || j <= i) &&
                           added != -std::numeric_limits<T>::infinity();
                score[j] += added;
            }
        }
        const MatrixOf<T> element_weights = masked_softmax(scores, allowed);
        set_element(output, b, aggregate_allowed(element_weights, element(V, b), allowed));
        set_element(weights, b, element_weights);
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

} // namespace attention
