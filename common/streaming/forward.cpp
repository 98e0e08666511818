#include "streaming/streaming.hpp"

#include "attention/heads.hpp"
#include "machine/memory.hpp"
#include "streaming/forward_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace attention {
namespace {

// Kᵀ of one head: packed by the first thread that needs it, freed by the last. Heads are done in
// order, so there is one at a time, or two while threads change to the next head.
template <class T>
class PackedKeys {
public:
    const T* get(const Head<T>& head) {
        std::call_once(once_, [&] {
            keys_ = kernel_buffer<T>(packed_keys_size<T>(head.n_keys, head.d_k));
            pack_keys(head.K, head.n_keys, head.d_k, keys_.get());
        });
        return keys_.get();
    }
    void done(std::size_t blocks) {
        if (++finished_ == blocks) {
            keys_.reset();
        }
    }

private:
    std::once_flag once_;
    KernelBuffer<T> keys_;
    std::atomic<std::size_t> finished_{0};
};

} // namespace

template <class T>
Streamed<T> streaming_attention(const xt::xtensor<T, 3>& Q, const xt::xtensor<T, 3>& K,
                                const xt::xtensor<T, 3>& V, const AttentionOptions& options) {
    const std::vector<Head<T>> heads = split_heads("streaming_attention", Q, K, V, options);
    Streamed<T> result{xt::xtensor<T, 3>::from_shape({Q.shape(0), Q.shape(1), V.shape(2)}),
                       xt::xtensor<T, 2>::from_shape({Q.shape(0), Q.shape(1)})};
    if (result.logsumexp.size() == 0) {
        return result;
    }

    const Head<T>& any = heads.front();
    const std::size_t blocks = (any.n_queries + query_block - 1) / query_block;
    const std::size_t threads = useful_threads(heads, options);
    std::vector<PackedKeys<T>> keys(heads.size());
    WorkerScratch<T> scratch(threads, forward_scratch_size<T>(any.d_k, any.d_v));
    parallel_for(threads, heads.size() * blocks, [&](std::size_t item, std::size_t worker) {
        const std::size_t h = item / blocks;
        // Under a causal mask the last queries see the most: they start first, which leaves small
        // pieces for the end, when threads wait for each other.
        const std::size_t block = blocks - 1 - item % blocks;
        const std::size_t first = block * query_block;
        forward_block(heads[h], keys[h].get(heads[h]), first,
                      std::min(query_block, any.n_queries - first), scratch.of(worker),
                      result.output.data() + h * any.n_queries * any.d_v,
                      result.logsumexp.data() + h * any.n_queries);
        keys[h].done(blocks);
    });
    return result;
}

template Streamed<float> streaming_attention(const Tensor3F&, const Tensor3F&, const Tensor3F&,
                                             const AttentionOptions&);
template Streamed<double> streaming_attention(const Tensor3&, const Tensor3&, const Tensor3&,
                                              const AttentionOptions&);

} // namespace attention
