#include "autograd/streaming.hpp"

#include "autograd/check.hpp"
#include "streaming/streaming.hpp"

namespace autograd {

template <class T>
BasicValue<T> scaled_dot_product_attention(const BasicValue<T>& Q, const BasicValue<T>& K,
                                           const BasicValue<T>& V,
                                           const attention::AttentionOptions& options) {
    const char* function = "scaled_dot_product_attention";
    require_rank(function, "Q", Q, 3);
    require_rank(function, "K", K, 3);
    require_rank(function, "V", V, 3);
    require_same_tape(function, Q, K);
    require_same_tape(function, Q, V);
    using Tensor = xt::xtensor<T, 3>;
    // output and logsumexp: all that the backward needs beside the inputs
    const auto forward = attention::streaming_attention<T, 3>(Tensor(Q.data()), Tensor(K.data()),
                                                              Tensor(V.data()), options);
    const auto backward = [Q, K, V, options, forward](const Array<T>& dy, const Array<T>&) {
        const auto gradients = attention::streaming_attention_backward<T, 3>(
            Tensor(Q.data()), Tensor(K.data()), Tensor(V.data()), forward, Tensor(dy), options);
        Q.add_gradient(gradients.Q.data());
        K.add_gradient(gradients.K.data());
        V.add_gradient(gradients.V.data());
    };
    return Q.tape().record(Array<T>(forward.output),
                           Q.needs_gradient() || K.needs_gradient() || V.needs_gradient(),
                           backward);
}

template BasicValue<float> scaled_dot_product_attention(const BasicValue<float>&,
                                                        const BasicValue<float>&,
                                                        const BasicValue<float>&,
                                                        const attention::AttentionOptions&);
template BasicValue<double> scaled_dot_product_attention(const BasicValue<double>&,
                                                         const BasicValue<double>&,
                                                         const BasicValue<double>&,
                                                         const attention::AttentionOptions&);

} // namespace autograd
