#include "language_model.hpp"

#include "autograd/streaming.hpp" // autograd::causal_attention

namespace lesson {

Value layer_norm(const Value& X, const Value& gain, const Value& bias) {
    require_fit(X, gain, bias);

    // solution 11.1 (X, gain, bias): mean and variance of each row, then gain and bias
    const Value centred = autograd::subtract(X, autograd::row_mean(X));              // (n, d)
    const Value variance = autograd::row_mean(autograd::multiply(centred, centred)); // (n, 1)
    const Value per_row = autograd::inverse_square_root(variance, 1e-5F);            // (n, 1)
    const Value normed = autograd::multiply(centred, per_row);                       // (n, d)
    return autograd::add(autograd::multiply(normed, gain), bias);
    // end
}

Value transformer_block(const Value& X, const BlockWeights& weights, std::size_t n_texts,
                        std::size_t n_heads) {
    require_divides("n_texts", n_texts, "rows", X.shape(0), X);
    require_divides("n_heads", n_heads, "columns", X.shape(1), X);

    // solution 11.1 (X, weights, n_texts, n_heads): X + attention(norm), and to that + mlp(norm)
    const Value normed = layer_norm(X, weights.attention_gain, weights.attention_bias);
    const Value Q = autograd::product(normed, weights.W_q); // (n_texts · n, d), as all that follows
    const Value K = autograd::product(normed, weights.W_k);
    const Value V = autograd::product(normed, weights.W_v);
    const Value attended = autograd::causal_attention(Q, K, V, n_texts, n_heads);
    const Value H = autograd::add(X, autograd::product(attended, weights.W_o));

    const Value again = layer_norm(H, weights.mlp_gain, weights.mlp_bias);
    const Value hidden = autograd::affine(again, weights.W_in, weights.b_in); // (n_texts · n, 4d)
    const Value mlp = autograd::affine(autograd::gelu(hidden), weights.W_out, weights.b_out);
    return autograd::add(H, mlp);
    // end
}

} // namespace lesson
