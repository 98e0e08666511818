#include "streaming/streaming.hpp"

#include "attention/heads.hpp"
#include "machine/memory.hpp"
#include "streaming/backward_kernel.hpp"

#include <algorithm>

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
    WorkerScratch<T> scratch(threads, backward_scratch_size(any));
    parallel_for(threads, heads.size(), [&](std::size_t h, std::size_t worker) {
        const HeadGradient<T> gradient{forward.output.data() + h * any.n_queries * any.d_v,
                                       forward.logsumexp.data() + h * any.n_queries,
                                       d_output.data() + h * any.n_queries * any.d_v};
        backward_head(
            heads[h], gradient, scratch.of(worker), result.Q.data() + h * any.n_queries * any.d_k,
            result.K.data() + h * any.n_keys * any.d_k, result.V.data() + h * any.n_keys * any.d_v);
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
