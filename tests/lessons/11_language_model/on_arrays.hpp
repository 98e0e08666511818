#pragma once

// Values live on a tape and cannot travel: 11.1 is called with arrays, and answers with the output
// and the gradients of Σ output ∘ d_output.

#include "judge/export.hpp"
#include "language_model.hpp"
#include "support/in_a_model.hpp"

namespace on_arrays {

using Array = autograd::Array<float>;
using Arrays = std::vector<Array>;
using Values = std::vector<autograd::Value>;

struct Normed {
    Array output, d_X, d_gain, d_bias;
};

/// The arrays of language::BlockWeights, or the gradients of each.
struct Block {
    Array attention_gain, attention_bias, W_q, W_k, W_v, W_o, mlp_gain, mlp_bias, W_in, b_in, W_out,
        b_out;
};

struct Transformed {
    Array output, d_X;
    Block d_weights;
};

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

/// Any layer_norm made of operations, and any block likewise.
template <class Norm>
Normed layer_norm_by(const Norm& norm, const Array& X, const Array& gain, const Array& bias,
                     const Array& d_output) {
    return normed(support::in_a_model([&](const Values& in) { return norm(in[0], in[1], in[2]); },
                                      {X, gain, bias}, d_output));
}
template <class TransformerBlock>
Transformed transformer_block_by(const TransformerBlock& block, const Array& X,
                                 const Block& weights, std::size_t n_texts, std::size_t n_heads,
                                 const Array& d_output) {
    const auto call = [&](const Values& in) {
        return block(in[0],
                     lesson::BlockWeights{in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8],
                                          in[9], in[10], in[11], in[12]},
                     n_texts, n_heads);
    };
    return transformed(support::in_a_model(call, arrays_of(X, weights), d_output));
}

// Under the names of the exercise's own functions, which verdicts use.
inline Normed layer_norm(const Array& X, const Array& gain, const Array& bias,
                         const Array& d_output) {
    return layer_norm_by(lesson::layer_norm, X, gain, bias, d_output);
}
inline Transformed transformer_block(const Array& X, const Block& weights, std::size_t n_texts,
                                     std::size_t n_heads, const Array& d_output) {
    return transformer_block_by(lesson::transformer_block, X, weights, n_texts, n_heads, d_output);
}

} // namespace on_arrays

JUDGE_STRUCT(on_arrays::Normed, output, d_X, d_gain, d_bias);
JUDGE_STRUCT(on_arrays::Block, attention_gain, attention_bias, W_q, W_k, W_v, W_o, mlp_gain,
             mlp_bias, W_in, b_in, W_out, b_out);
JUDGE_STRUCT(on_arrays::Transformed, output, d_X, d_weights);
