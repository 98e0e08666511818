#include "language/parts.hpp"

#include "autograd/operations.hpp"
#include "autograd/streaming.hpp"

namespace language {
namespace {

template <class T>
autograd::BasicValue<T> layer_norm(const autograd::BasicValue<T>& X,
                                   const autograd::BasicValue<T>& gain,
                                   const autograd::BasicValue<T>& bias) {
    const auto centred = subtract(X, row_mean(X));               // (n, d)
    const auto variance = row_mean(multiply(centred, centred));  // (n, 1)
    const auto factor = inverse_square_root(variance, T(1e-5));  // (n, 1)
    return add(multiply(multiply(centred, factor), gain), bias); // (n, d)
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
