#include "language_model.hpp"

#include "autograd/streaming.hpp" // autograd::causal_attention

namespace lesson {

Value layer_norm(const Value& X, const Value& gain, const Value& bias) {
    require_fit(X, gain, bias);

    // TODO 11.1: mean and variance of each row, then gain and bias
    todo("11.1", X, gain, bias);
}

Value transformer_block(const Value& X, const BlockWeights& weights, std::size_t n_texts,
                        std::size_t n_heads) {
    require_divides("n_texts", n_texts, "rows", X.shape(0), X);
    require_divides("n_heads", n_heads, "columns", X.shape(1), X);

    // TODO 11.1: X + attention(norm), and to that + mlp(norm)
    todo("11.1", X, weights, n_texts, n_heads);
}

} // namespace lesson
