#pragma once

// Values live on a tape and cannot travel: what 11.1 is asked is arrays, and what it answers is the
// output with the gradients of Σ output ∘ d_output.

#include "judge/export.hpp"
#include "language_model.hpp"
#include "support/in_a_model.hpp"

namespace on_arrays {

using Array = autograd::Array<float>;
using autograd::Value;
using lesson::BlockWeights;

struct Normed {
    Array output, d_X, d_gain, d_bias;
};

/// The arrays of BlockWeights, or the gradients of each.
struct Block {
    Array attention_gain, attention_bias, W_q, W_k, W_v, W_o, mlp_gain, mlp_bias, W_in, b_in, W_out,
        b_out;
};

struct Transformed {
    Array output, d_X;
    Block d_weights;
};

/// output = f(), and Σ output ∘ d_output backwards. A result on no tape, or of another shape, has
/// no gradients to ask for.
template <class F>
Array output_of(autograd::Tape& tape, const Array& d_output, const F& f) {
    const Value output = f();
    if (!output.exists()) {
        return {};
    }
    if (autograd::shape_of(output.data()) == autograd::shape_of(d_output)) {
        tape.backward(sum(multiply(output, tape.constant(d_output))));
    }
    return output.data();
}

/// Any layer_norm, made of operations, asked in arrays; transformer_block_by likewise.
template <class Norm>
Normed layer_norm_by(const Norm& norm, const Array& X, const Array& gain, const Array& bias,
                     const Array& d_output) {
    autograd::Tape tape;
    const Value x = tape.variable(X), g = tape.variable(gain), b = tape.variable(bias);
    Array output = output_of(tape, d_output, [&] { return norm(x, g, b); });
    return {std::move(output), x.gradient(), g.gradient(), b.gradient()};
}

template <class TransformerBlock>
Transformed transformer_block_by(const TransformerBlock& block, const Array& X,
                                 const Block& weights, std::size_t n_texts, std::size_t n_heads,
                                 const Array& d_output) {
    autograd::Tape tape;
    const Value x = tape.variable(X);
    const BlockWeights w{tape.variable(weights.attention_gain),
                         tape.variable(weights.attention_bias),
                         tape.variable(weights.W_q),
                         tape.variable(weights.W_k),
                         tape.variable(weights.W_v),
                         tape.variable(weights.W_o),
                         tape.variable(weights.mlp_gain),
                         tape.variable(weights.mlp_bias),
                         tape.variable(weights.W_in),
                         tape.variable(weights.b_in),
                         tape.variable(weights.W_out),
                         tape.variable(weights.b_out)};
    Array output = output_of(tape, d_output, [&] { return block(x, w, n_texts, n_heads); });
    return {std::move(output),
            x.gradient(),
            {w.attention_gain.gradient(), w.attention_bias.gradient(), w.W_q.gradient(),
             w.W_k.gradient(), w.W_v.gradient(), w.W_o.gradient(), w.mlp_gain.gradient(),
             w.mlp_bias.gradient(), w.W_in.gradient(), w.b_in.gradient(), w.W_out.gradient(),
             w.b_out.gradient()}};
}

/// Both as parts of a model: see support/in_a_model.hpp. The inputs are called as the parameters,
/// and those of the block as the members of BlockWeights.
using Names = std::vector<std::string>;

template <class Norm>
Normed layer_norm_in_a_model_by(const Norm& norm, const Array& X, const Array& gain,
                                const Array& bias, const Array& d_output, const Names& constants,
                                bool elsewhere) {
    std::vector<Array> gradients;
    Array output = support::in_a_model([&](const auto& in) { return norm(in[0], in[1], in[2]); },
                                       {"X", "gain", "bias"}, {X, gain, bias}, d_output, constants,
                                       elsewhere, gradients);
    gradients.resize(3);
    return {std::move(output), gradients[0], gradients[1], gradients[2]};
}

template <class TransformerBlock>
Transformed transformer_block_in_a_model_by(const TransformerBlock& block, const Array& X,
                                            const Block& w, std::size_t n_texts,
                                            std::size_t n_heads, const Array& d_output,
                                            const Names& constants, bool elsewhere) {
    std::vector<Array> g;
    Array output = support::in_a_model(
        [&](const auto& in) {
            return block(in[0],
                         BlockWeights{in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9],
                                      in[10], in[11], in[12]},
                         n_texts, n_heads);
        },
        {"X", "attention_gain", "attention_bias", "W_q", "W_k", "W_v", "W_o", "mlp_gain",
         "mlp_bias", "W_in", "b_in", "W_out", "b_out"},
        {X, w.attention_gain, w.attention_bias, w.W_q, w.W_k, w.W_v, w.W_o, w.mlp_gain, w.mlp_bias,
         w.W_in, w.b_in, w.W_out, w.b_out},
        d_output, constants, elsewhere, g);
    g.resize(13);
    return {std::move(output),
            g[0],
            {g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8], g[9], g[10], g[11], g[12]}};
}

// Under the names of the exercise's own functions, which is how verdicts speak of them.
inline Normed layer_norm(const Array& X, const Array& gain, const Array& bias,
                         const Array& d_output) {
    return layer_norm_by(lesson::layer_norm, X, gain, bias, d_output);
}

inline Transformed transformer_block(const Array& X, const Block& weights, std::size_t n_texts,
                                     std::size_t n_heads, const Array& d_output) {
    return transformer_block_by(lesson::transformer_block, X, weights, n_texts, n_heads, d_output);
}

inline Normed layer_norm_in_a_model(const Array& X, const Array& gain, const Array& bias,
                                    const Array& d_output, const Names& constants, bool elsewhere) {
    return layer_norm_in_a_model_by(lesson::layer_norm, X, gain, bias, d_output, constants,
                                    elsewhere);
}

inline Transformed transformer_block_in_a_model(const Array& X, const Block& weights,
                                                std::size_t n_texts, std::size_t n_heads,
                                                const Array& d_output, const Names& constants,
                                                bool elsewhere) {
    return transformer_block_in_a_model_by(lesson::transformer_block, X, weights, n_texts, n_heads,
                                           d_output, constants, elsewhere);
}

} // namespace on_arrays

JUDGE_STRUCT(on_arrays::Normed, output, d_X, d_gain, d_bias);
JUDGE_STRUCT(on_arrays::Block, attention_gain, attention_bias, W_q, W_k, W_v, W_o, mlp_gain,
             mlp_bias, W_in, b_in, W_out, b_out);
JUDGE_STRUCT(on_arrays::Transformed, output, d_X, d_weights);
