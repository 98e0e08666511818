#pragma once

#include "autograd/tape.hpp"

namespace language {

/// The learned weights of one block of a Transformer, as values of one tape (Vaswani et al. 2017,
/// with the norms before attention and before the mlp as in GPT-2, Radford et al. 2019). d
/// components, and d in all heads together.
template <class T>
struct BasicBlockWeights {
    using Value = autograd::BasicValue<T>;

    Value attention_gain, attention_bias; // (d) of the norm before attention
    Value W_q, W_k, W_v, W_o;             // (d, d)
    Value mlp_gain, mlp_bias;             // (d) of the norm before the mlp
    Value W_in, b_in;                     // (d, 4d), (4d)
    Value W_out, b_out;                   // (4d, d), (d)
};

using BlockWeights = BasicBlockWeights<float>;

} // namespace language
