#pragma once

// What the misconceptions of 11.1 are made of: right in everything but the one step that is handed
// in.

#include <functional>

#include "autograd/streaming.hpp"
#include "exports.hpp"

namespace wrong {

using autograd::add;
using autograd::affine;
using autograd::multiply;
using autograd::product;
using autograd::row_mean;
using autograd::scale;
using autograd::subtract;
using lesson::BlockWeights;
using lesson::Value;
using on_arrays::Array;
using on_arrays::Block;

// ---- layer_norm

inline Value centred(const Value& X) {
    return subtract(X, row_mean(X));
}
inline Value mean_square(const Value& X) {
    return row_mean(multiply(X, X));
}
inline Value variance(const Value& X) {
    return mean_square(centred(X));
}
/// 1 / √(a + epsilon), (n, 1)
inline Value inverse_root(const Value& a, float epsilon = 1e-5F) {
    return autograd::inverse_square_root(a, epsilon);
}
inline Value normed(const Value& X) {
    return multiply(centred(X), inverse_root(variance(X)));
}
inline Value with(const Value& N, const Value& gain, const Value& bias) {
    return add(multiply(N, gain), bias);
}
/// The same numbers, through which no gradient flows.
inline Value detached(const Value& X) {
    return X.tape().constant(X.data());
}

/// A wrong layer_norm after the check that stands in the stub, asked in arrays.
template <class Norm>
auto norm_by(Norm norm) {
    return [=](const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
        const auto checked = [&](const Value& x, const Value& g, const Value& b) {
            lesson::require_fit(x, g, b);
            return norm(x, g, b);
        };
        return on_arrays::layer_norm_by(checked, X, gain, bias, d_output);
    };
}

// ---- transformer_block

struct Sizes {
    std::size_t n_texts, n_heads;
};

/// The block, step by step.   X, N, H, M (n_texts · n, d)
struct Transformer {
    using Weights = const BlockWeights&;

    std::function<Value(const Value& X, Weights)> first_norm = [](auto& X, auto& w) {
        return lesson::layer_norm(X, w.attention_gain, w.attention_bias);
    };
    std::function<Value(const Value& H, Weights)> second_norm = [](auto& H, auto& w) {
        return lesson::layer_norm(H, w.mlp_gain, w.mlp_bias);
    };
    /// Of what the first norm gave, before W_o.
    std::function<Value(const Value& N, Weights, Sizes)> heads = [](auto& N, auto& w, Sizes size) {
        return autograd::causal_attention(product(N, w.W_q), product(N, w.W_k), product(N, w.W_v),
                                          size.n_texts, size.n_heads);
    };
    std::function<Value(const Value& attended, Weights)> project = [](auto& attended, auto& w) {
        return product(attended, w.W_o);
    };
    std::function<Value(const Value& M, Weights)> mlp = [](auto& M, auto& w) {
        return affine(autograd::gelu(affine(M, w.W_in, w.b_in)), w.W_out, w.b_out);
    };
    /// How the steps are put together.
    std::function<Value(const Transformer&, const Value& X, Weights, Sizes)> whole =
        [](auto& self, auto& X, auto& w, Sizes size) {
            const Value H = add(X, self.attention(self.first_norm(X, w), w, size));
            return add(H, self.mlp(self.second_norm(H, w), w));
        };

    Value attention(const Value& N, Weights w, Sizes size) const {
        return project(heads(N, w, size), w);
    }
    on_arrays::Transformed operator()(const Array& X, const Block& weights, std::size_t n_texts,
                                      std::size_t n_heads, const Array& d_output) const {
        const auto checked = [&](const Value& x, Weights w, std::size_t texts, std::size_t heads_) {
            lesson::require_divides("n_texts", texts, "rows", x.shape(0), x);
            lesson::require_divides("n_heads", heads_, "columns", x.shape(1), x);
            return whole(*this, x, w, Sizes{texts, heads_});
        };
        return on_arrays::transformer_block_by(checked, X, weights, n_texts, n_heads, d_output);
    }
};

template <class Step, class Member>
Transformer with_step(Member Transformer::*member, Step step) {
    Transformer block;
    block.*member = step;
    return block;
}

} // namespace wrong

#define NORM_MISCONCEPTION(name, explanation, ...)                                                 \
    MISCONCEPTION_IN(on_arrays, layer_norm, name, explanation, norm_by(__VA_ARGS__))

/// A step of the block, and how it is done.
#define BLOCK_MISCONCEPTION(name, explanation, step, ...)                                          \
    MISCONCEPTION_IN(on_arrays, transformer_block, name, explanation,                              \
                     with_step(&Transformer::step, __VA_ARGS__))
