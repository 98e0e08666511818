#pragma once

// Values live on a tape and cannot travel: 11.1 is called with arrays, and answers with the output
// and the gradients of Σ output ∘ d_output.

#include "judge/export.hpp"
#include "language_model.hpp"
#include "support/in_a_model.hpp"

namespace on_arrays {

using Array = autograd::Array<float>;
using Arrays = std::vector<Array>;
using Names = std::vector<std::string>;
using autograd::Value;
using Values = std::vector<Value>;
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

inline const Names of_norm{"X", "gain", "bias"};
inline const Names of_block{"X",    "attention_gain", "attention_bias", "W_q",  "W_k",  "W_v",
                            "W_o",  "mlp_gain",       "mlp_bias",       "W_in", "b_in", "W_out",
                            "b_out"};

inline Arrays arrays_of(const Array& X, const Block& w) {
    return {X,          w.attention_gain, w.attention_bias, w.W_q,  w.W_k,   w.W_v,  w.W_o,
            w.mlp_gain, w.mlp_bias,       w.W_in,           w.b_in, w.W_out, w.b_out};
}

/// all: the output, and the gradient of each input.
inline Normed normed(const Arrays& all) {
    return {all.at(0), all.at(1), all.at(2), all.at(3)};
}
inline Transformed transformed(const Arrays& all) {
    return {all.at(0),
            all.at(1),
            {all.at(2), all.at(3), all.at(4), all.at(5), all.at(6), all.at(7), all.at(8), all.at(9),
             all.at(10), all.at(11), all.at(12), all.at(13)}};
}

/// What call(inputs) returns, and the gradient of each input. A result on no tape, or of another
/// shape, has none.
template <class Call>
Arrays answered(const Call& call, const Arrays& arrays, const Array& d_output) {
    autograd::Tape tape;
    Values inputs;
    for (const Array& each : arrays) {
        inputs.push_back(tape.variable(each));
    }
    const Value output = call(inputs);
    if (output.exists() && autograd::shape_of(output.data()) == autograd::shape_of(d_output)) {
        tape.backward(sum(multiply(output, tape.constant(d_output))));
    }
    Arrays all{output.exists() ? output.data() : Array()};
    for (const Value& input : inputs) {
        all.push_back(input.gradient());
    }
    return all;
}

/// The same as a part of a model: see support/in_a_model.hpp.
template <class Call>
Arrays answered_in_a_model(const Call& call, const Names& names, const Arrays& arrays,
                           const Array& d_output, const Names& constants, bool elsewhere) {
    Arrays all;
    Array output = support::in_a_model(call, names, arrays, d_output, constants, elsewhere, all);
    all.resize(arrays.size());
    all.insert(all.begin(), std::move(output));
    return all;
}

/// Any layer_norm, made of operations, as a function of its inputs; any block likewise.
template <class Norm>
auto of_inputs(const Norm& norm) {
    return [&](const Values& in) { return norm(in[0], in[1], in[2]); };
}
template <class TransformerBlock>
auto of_inputs(const TransformerBlock& block, std::size_t n_texts, std::size_t n_heads) {
    return [=, &block](const Values& in) {
        return block(in[0],
                     BlockWeights{in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9],
                                  in[10], in[11], in[12]},
                     n_texts, n_heads);
    };
}

template <class Norm>
Normed layer_norm_by(const Norm& norm, const Array& X, const Array& gain, const Array& bias,
                     const Array& d_output) {
    return normed(answered(of_inputs(norm), {X, gain, bias}, d_output));
}
template <class TransformerBlock>
Transformed transformer_block_by(const TransformerBlock& block, const Array& X,
                                 const Block& weights, std::size_t n_texts, std::size_t n_heads,
                                 const Array& d_output) {
    return transformed(
        answered(of_inputs(block, n_texts, n_heads), arrays_of(X, weights), d_output));
}
template <class Norm>
Normed layer_norm_in_a_model_by(const Norm& norm, const Array& X, const Array& gain,
                                const Array& bias, const Array& d_output, const Names& constants,
                                bool elsewhere) {
    return normed(answered_in_a_model(of_inputs(norm), of_norm, {X, gain, bias}, d_output,
                                      constants, elsewhere));
}
template <class TransformerBlock>
Transformed transformer_block_in_a_model_by(const TransformerBlock& block, const Array& X,
                                            const Block& weights, std::size_t n_texts,
                                            std::size_t n_heads, const Array& d_output,
                                            const Names& constants, bool elsewhere) {
    return transformed(answered_in_a_model(of_inputs(block, n_texts, n_heads), of_block,
                                           arrays_of(X, weights), d_output, constants, elsewhere));
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
