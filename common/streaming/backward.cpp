#include "streaming/streaming.hpp"

#include "attention/heads.hpp"
#include "machine/memory.hpp"
#include "streaming/backward_kernel.hpp"
#include "streaming/in_double.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace attention {
namespace {

template <class Got, class Shape>
void require_shape(const char* name, const Got& got, const Shape& shape) {
    if (!std::equal(shape.begin(), shape.end(), got.shape().begin(), got.shape().end())) {
        throw std::invalid_argument(std::string("streaming_attention_backward: ") + name +
                                    " must be of shape " + shape_text(xt::zeros<bool>(shape)) +
                                    ", got " + shape_text(got));
    }
}

bool all_finite(const auto* numbers, std::size_t n) {
    return std::all_of(numbers, numbers + n, [](auto x) { return std::isfinite(x); });
}

// The number of parts of each head, so that all threads have work: 1 if there are enough heads, or
// if they divide evenly.
std::size_t parts_of(std::size_t heads, std::size_t threads, std::size_t n_queries) {
    if (heads % threads == 0 || heads >= 2 * threads) {
        return 1;
    }
    constexpr std::size_t least_rows = 128;
    const std::size_t wanted = (2 * threads + heads - 1) / heads;
    return std::clamp<std::size_t>(n_queries / least_rows, 1, wanted);
}

// One head's gradients while its parts arrive.
template <class T>
struct PendingHead {
    std::vector<KernelBuffer<T>> sums; // a part each
    std::atomic<std::size_t> finished{0};
};

} // namespace

template <class T>
AttentionGradients<T>
streaming_attention_backward(const xt::xtensor<T, 3>& Q, const xt::xtensor<T, 3>& K,
                             const xt::xtensor<T, 3>& V, const Streamed<T>& forward,
                             const xt::xtensor<T, 3>& d_output, const AttentionOptions& options) {
    const std::vector<Head<T>> heads =
        split_heads("streaming_attention_backward", Q, K, V, options);
    const std::vector output_shape{Q.shape(0), Q.shape(1), V.shape(2)};
    const std::vector row_shape{Q.shape(0), Q.shape(1)};
    require_shape("forward.output", forward.output, output_shape);
    require_shape("forward.logsumexp", forward.logsumexp, row_shape);
    require_shape("d_output", d_output, output_shape);
    if (forward.logsumexp.size() == 0 || K.size() == 0) {
        return {xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
    }
    using Array = xt::xtensor<T, 3>;
    AttentionGradients<T> result{Array::from_shape(Q.shape()), Array::from_shape(K.shape()),
                                 Array::from_shape(V.shape())};

    const Head<T>& any = heads.front();
    const std::size_t threads = useful_threads(heads, options);
    const std::size_t parts = parts_of(heads.size(), threads, any.n_queries);
    const std::size_t sums_size = backward_sums_size(any, parts);
    std::vector<PendingHead<T>> pending(heads.size());
    for (PendingHead<T>& head : pending) {
        head.sums.resize(parts);
    }
    WorkerScratch<T> scratch(threads, backward_scratch_size(any));
    parallel_for(threads, heads.size() * parts, [&](std::size_t item, std::size_t worker) {
        const std::size_t h = item / parts;
        const std::size_t part = item % parts;
        const Head<T>& head = heads[h];
        const HeadGradient<T> gradient{forward.output.data() + h * any.n_queries * any.d_v,
                                       forward.logsumexp.data() + h * any.n_queries,
                                       d_output.data() + h * any.n_queries * any.d_v};
        T* const dQ = result.Q.data() + h * any.n_queries * any.d_k;
        T* const dK = result.K.data() + h * any.n_keys * any.d_k;
        T* const dV = result.V.data() + h * any.n_keys * any.d_v;
        std::vector<KernelBuffer<T>>& sums = pending[h].sums;
        if (sums_size > 0) {
            sums[part] = kernel_buffer<T>(sums_size);
        }
        backward_part(head, gradient, part, parts, scratch.of(worker), dQ, dK, dV,
                      sums[part].get());
        if (++pending[h].finished < parts) {
            return;
        }
        if (sums_size > 0) {
            // The last to finish adds the parts, in their order whoever that is.
            std::vector<T*> all;
            for (const KernelBuffer<T>& sum : sums) {
                all.push_back(sum.get());
            }
            add_parts(head, all.data(), parts, dK, dV);
            sums.clear();
        }
        if (!all_finite(dQ, any.n_queries * any.d_k) || !all_finite(dK, any.n_keys * any.d_k) ||
            !all_finite(dV, any.n_keys * any.d_v)) {
            gradients_in_double(head, gradient.d_output, dQ, dK, dV);
        }
    });
    return result;
}

template AttentionGradients<float>
streaming_attention_backward(const Tensor3F&, const Tensor3F&, const Tensor3F&,
                             const Streamed<float>&, const Tensor3F&, const AttentionOptions&);
template AttentionGradients<double>
streaming_attention_backward(const Tensor3&, const Tensor3&, const Tensor3&,
                             const Streamed<double>&, const Tensor3&, const AttentionOptions&);

} // namespace attention
