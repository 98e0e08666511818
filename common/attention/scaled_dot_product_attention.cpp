#include "attention/attention.hpp"

#include "attention/heads.hpp"
#include "attention/masks.hpp"
#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/weights_kernel.hpp"
#include "machine/large_pages.hpp"
#include "machine/memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

// Two implementations: in double step by step, as in the lessons, and in float as fast as possible
// (the loops are in weights_kernel.cpp). Tests compare both.

namespace attention {
namespace {

constexpr const char* function = "scaled_dot_product_attention";

Matrix element(const Tensor3& X, std::size_t b) {
    return xt::view(X, b);
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

} // namespace

BatchedAttention<double> scaled_dot_product_attention(const Tensor3& Q, const Tensor3& K,
                                                      const Tensor3& V,
                                                      const AttentionOptions& options) {
    const std::vector<Head<double>> heads = split_heads(function, Q, K, V, options);
    BatchedAttention<double> result{Tensor3::from_shape({Q.shape(0), Q.shape(1), V.shape(2)}),
                                    Tensor3::from_shape({Q.shape(0), Q.shape(1), K.shape(1)})};
    auto allowed = Mask::from_shape({Q.shape(1), K.shape(1)});
    for (std::size_t b = 0; b < heads.size(); ++b) {
        for (std::size_t i = 0; i < Q.shape(1); ++i) {
            for (std::size_t j = 0; j < K.shape(1); ++j) {
                allowed(i, j) = heads[b].mask.allows(i, j);
            }
        }
        const Matrix weights = masked_softmax(scaled_scores(element(Q, b), element(K, b)), allowed);
        xt::view(result.output, b) = aggregate_allowed(weights, element(V, b), allowed);
        xt::view(result.weights, b) = weights;
    }
    return result;
}

// The same on threads, in blocks of queries, each from its scores to its output while it is in the
// cache.
BatchedAttention<float> scaled_dot_product_attention(const Tensor3F& Q, const Tensor3F& K,
                                                     const Tensor3F& V,
                                                     const AttentionOptions& options) {
    const std::vector<Head<float>> heads = split_heads(function, Q, K, V, options);
    BatchedAttention<float> result{Tensor3F::from_shape({Q.shape(0), Q.shape(1), V.shape(2)}),
                                   Tensor3F::from_shape({Q.shape(0), Q.shape(1), K.shape(1)})};
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

} // namespace attention
