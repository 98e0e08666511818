#include "attention/attention.hpp"

#include "attention/batches.hpp"
#include "attention/heads.hpp"
#include "attention/masks.hpp"
#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/weights_kernel.hpp"
#include "machine/large_pages.hpp"
#include "machine/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

// Two implementations: in double step by step, as in the lessons, and in float as fast as possible
// (the loops are in weights_kernel.cpp). Tests compare both.

namespace attention {
namespace {

constexpr const char* function = "scaled_dot_product_attention";

// A shape with another last axis.
template <class Shape>
Shape with_last(Shape shape, std::size_t size) {
    shape[shape.size() - 1] = size;
    return shape;
}

// One element of a batch, or head of one: the last two axes.
template <class Tensor>
Matrix element(const Tensor& X, std::size_t head) {
    const std::size_t rank = X.dimension();
    Matrix M = Matrix::from_shape({X.shape(rank - 2), X.shape(rank - 1)});
    std::copy_n(X.data() + head * M.size(), M.size(), M.data());
    return M;
}

template <class Tensor>
void set_element(Tensor& X, std::size_t head, const Matrix& M) {
    std::copy_n(M.data(), M.size(), X.data() + head * M.size());
}

// The product would turn weight 0 · V = ∞ into NaN. So it takes 0 for values that are not finite,
// which leaves every other sum unchanged, and they are added separately where they are allowed.
Matrix aggregate_allowed(const Matrix& weights, Matrix V, const Mask& allowed) {
    std::vector<std::pair<std::size_t, double>> not_finite; // where in V, and what was there
    for (std::size_t flat = 0; flat < V.size(); ++flat) {
        double& value = V.data()[flat];
        if (!std::isfinite(value)) {
            not_finite.emplace_back(flat, value);
            value = 0;
        }
    }
    Matrix output = matmul(weights, V);
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
Result step_by_step(const Tensor& Q, const Tensor& K, const Tensor& V,
                    const AttentionOptions& options) {
    check_batches(function, Q, K, V);
    const Broadcast<bool> mask(function, "mask", options.mask, Q, K);
    const Broadcast<double> additive(function, "additive", options.additive, Q, K);

    const std::size_t rank = Q.dimension();
    const std::size_t n_queries = Q.shape(rank - 2);
    const std::size_t n_keys = K.shape(rank - 2);
    auto output = Tensor::from_shape(with_last(Q.shape(), V.shape(rank - 1)));
    auto weights = Tensor::from_shape(with_last(Q.shape(), n_keys));
    auto allowed = Mask::from_shape({n_queries, n_keys});
    for (std::size_t h = 0; h < heads_of(Q); ++h) {
        Matrix scores = options.scale ? matmul_transposed(element(Q, h), element(K, h))
                                      : scaled_scores(element(Q, h), element(K, h));
        if (options.scale) {
            scores *= *options.scale;
        }
        const bool* const allows = mask.of_head(h);
        const double* const adds = additive.of_head(h);
        for (std::size_t i = 0; i < n_queries; ++i) {
            double* score = scores.data() + i * n_keys;
            bool* allow = allowed.data() + i * n_keys;
            for (std::size_t j = 0; j < n_keys; ++j) {
                const double added =
                    adds == nullptr ? 0.0
                                    : adds[i * additive.row_stride() + j * additive.key_stride()];
                allow[j] =
                    (allows == nullptr || allows[i * mask.row_stride() + j * mask.key_stride()]) &&
                    (!options.is_causal || j <= i) &&
                    added != -std::numeric_limits<double>::infinity();
                score[j] += added;
            }
        }
        const Matrix element_weights = masked_softmax(scores, allowed);
        set_element(output, h, aggregate_allowed(element_weights, element(V, h), allowed));
        set_element(weights, h, element_weights);
    }
    return {std::move(output), std::move(weights)};
}

// K and V of one head as the kernel reads them, and the values that it leaves out of V.
struct PackedHead {
    KernelBuffer<float> keys, values;
    std::vector<std::size_t> not_finite; // where in V
};

PackedHead packed(const Head<float>& head) {
    PackedHead result{kernel_buffer<float>(packed_size(head.n_keys, head.d_k)),
                      kernel_buffer<float>(packed_size(head.d_v, head.n_keys)),
                      {}};
    pack_head(head, result.keys.get(), result.values.get());
    for (std::size_t flat = 0; flat < head.n_keys * head.d_v; ++flat) {
        if (!std::isfinite(head.V[flat])) {
            result.not_finite.push_back(flat);
        }
    }
    return result;
}

// The same on threads, in blocks of queries, each from its scores to its output while it is in the
// cache.
template <class Result, class Tensor>
Result in_blocks(const Tensor& Q, const Tensor& K, const Tensor& V,
                 const AttentionOptions& options) {
    const std::vector<Head<float>> heads = split_heads(function, Q, K, V, options);
    const std::size_t rank = Q.dimension();
    Result result{Tensor::from_shape(with_last(Q.shape(), V.shape(rank - 1))),
                  Tensor::from_shape(with_last(Q.shape(), K.shape(rank - 2)))};
    if (heads.empty() || heads.front().n_queries == 0) {
        return result;
    }
    prefer_large_pages(result.weights.data(), result.weights.size() * sizeof(float));
    const Head<float>& any = heads.front();
    const std::size_t threads = useful_threads(heads, options);
    std::vector<PackedHead> packed_heads(heads.size());
    parallel_for(threads, heads.size(),
                 [&](std::size_t h, std::size_t) { packed_heads[h] = packed(heads[h]); });

    const std::size_t blocks = (any.n_queries + weights_block - 1) / weights_block;
    WorkerScratch<float> scratch(threads, weights_scratch_size(any));
    parallel_for(threads, heads.size() * blocks, [&](std::size_t item, std::size_t worker) {
        const std::size_t h = item / blocks;
        const Head<float>& head = heads[h];
        const PackedHead& kv = packed_heads[h];
        const std::size_t first = item % blocks * weights_block;
        const std::size_t count = std::min(weights_block, head.n_queries - first);
        float* const weights = result.weights.data() + h * head.n_queries * head.n_keys;
        float* const output = result.output.data() + h * head.n_queries * head.d_v;
        weights_and_output(head, kv.keys.get(), kv.values.get(), first, count, scratch.of(worker),
                           weights, output);
        for (const std::size_t flat : kv.not_finite) {
            const std::size_t key = flat / head.d_v;
            for (std::size_t i = first; i < first + count; ++i) {
                if (head.mask.allows(i, key)) {
                    output[i * head.d_v + flat % head.d_v] +=
                        weights[i * head.n_keys + key] * head.V[flat];
                }
            }
        }
    });
    return result;
}

} // namespace

BatchedAttention scaled_dot_product_attention(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                                              const AttentionOptions& options) {
    return step_by_step<BatchedAttention>(Q, K, V, options);
}
BatchedAttentionF scaled_dot_product_attention(const Tensor3F& Q, const Tensor3F& K,
                                               const Tensor3F& V, const AttentionOptions& options) {
    return in_blocks<BatchedAttentionF>(Q, K, V, options);
}
HeadedAttention scaled_dot_product_attention(const Tensor4& Q, const Tensor4& K, const Tensor4& V,
                                             const AttentionOptions& options) {
    return step_by_step<HeadedAttention>(Q, K, V, options);
}
HeadedAttentionF scaled_dot_product_attention(const Tensor4F& Q, const Tensor4F& K,
                                              const Tensor4F& V, const AttentionOptions& options) {
    return in_blocks<HeadedAttentionF>(Q, K, V, options);
}

} // namespace attention
