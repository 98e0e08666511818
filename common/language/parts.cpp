#include "language/parts.hpp"

#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"
#include "autograd/streaming.hpp"

namespace language {
namespace {

// One operation, and one pass over memory each way: made of autograd's, as lesson 11 does it, a
// step of training takes 5 % longer.
template <class T>
autograd::BasicValue<T> layer_norm(const autograd::BasicValue<T>& X,
                                   const autograd::BasicValue<T>& gain,
                                   const autograd::BasicValue<T>& bias) {
    namespace kernels = autograd::kernels;
    autograd::require_rank("layer_norm", "X", X, 2);
    autograd::require_shared("layer_norm", "d", "X", X, 1, "gain", gain, 0);
    autograd::require_shared("layer_norm", "d", "X", X, 1, "bias", bias, 0);
    const std::size_t n = X.shape(0), d = X.shape(1);
    std::vector<T> moments(2 * n);
    auto Y = autograd::Array<T>::from_shape({n, d});
    for (std::size_t i = 0; i < n; ++i) {
        kernels::normalise(X.data().data() + i * d, gain.data().data(), bias.data().data(), T(1e-5),
                           d, &moments[2 * i], Y.data() + i * d);
    }
    const auto backward = [=](const autograd::Array<T>& dY, const autograd::Array<T>&) {
        const autograd::Destination<T> dX = X.gradient_destination();
        T* const d_gain = gain.gradient_accumulator().data();
        T* const d_bias = bias.gradient_accumulator().data();
        for (std::size_t i = 0; i < n; ++i) {
            kernels::normalise_backward(X.data().data() + i * d, &moments[2 * i],
                                        gain.data().data(), dY.data() + i * d, d, dX.add,
                                        dX.data + i * d, d_gain, d_bias);
        }
    };
    return X.tape().record(std::move(Y),
                           X.needs_gradient() || gain.needs_gradient() || bias.needs_gradient(),
                           backward);
}

template <class T>
autograd::BasicValue<T> transformer_block(const autograd::BasicValue<T>& X,
                                          const BasicBlockWeights<T>& w, std::size_t n_texts,
                                          std::size_t n_heads) {
    const auto x = layer_norm(X, w.attention_gain, w.attention_bias);
    const auto heads =
        causal_attention(product(x, w.W_q), product(x, w.W_k), product(x, w.W_v), n_texts, n_heads);
    const auto H = add(X, product(heads, w.W_o));
    const auto h = layer_norm(H, w.mlp_gain, w.mlp_bias);
    return add(H, affine(gelu(affine(h, w.W_in, w.b_in)), w.W_out, w.b_out));
}

} // namespace

template <class T>
Parts<T> parts() {
    return {layer_norm<T>, transformer_block<T>};
}

template Parts<float> parts();
template Parts<double> parts();

} // namespace language
