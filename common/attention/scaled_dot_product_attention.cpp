#include "attention/attention.hpp"

#include "attention/heads.hpp"
#include "attention/masks.hpp"
#include "attention/product.hpp"
#include "attention/scores.hpp"
#include "attention/weights_kernel.hpp"
#include "machine/large_pages.hpp"
#include "machine/memory.hpp"

#include <algorithm>
#include <vector>

// Two implementations: in double step by step, as in the lessons, and in float as fast as possible
// (the loops are in weights_kernel.cpp). Tests compare both.

namespace attention {
namespace {

constexpr const char* function = "scaled_dot_product_attention";

Matrix element(const Tensor3& X, std::size_t b) {
    return xt::view(X, b);
}

// K and V of one head as the kernel reads them.
struct PackedHead {
    KernelBuffer<float> keys, values;
};

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
        xt::view(result.output, b) = matmul(weights, element(V, b));
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
    parallel_for(threads, heads.size(), [&](std::size_t h, std::size_t) {
        PackedHead& head = packed_heads[h];
        head.keys = kernel_buffer<float>(packed_size(any.n_keys, any.d_k));
        head.values = kernel_buffer<float>(packed_size(any.d_v, any.n_keys));
        pack_head(heads[h], head.keys.get(), head.values.get());
    });

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
    });
    return result;
}

} // namespace attention
