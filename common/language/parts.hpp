#pragma once

#include "language/block_weights.hpp"

#include <cstddef>
#include <functional>

namespace language {

/// The functions that the model is made of, so that it can be trained with anybody's.
template <class T>
struct Parts {
    using Value = autograd::BasicValue<T>;

    /// gain ∘ (x − mean) / √(variance + 1e-5) + bias for each row x.
    ///   X (n, d)   gain (d)   bias (d)   returns (n, d)
    std::function<Value(const Value& X, const Value& gain, const Value& bias)> layer_norm;
    /// H = X + attention(norm(X)) W_o, then H + gelu(norm(H) W_in + b_in) W_out + b_out; attention
    /// causal, within each text.   X (n_texts · n, d)   returns (n_texts · n, d)
    std::function<Value(const Value& X, const BasicBlockWeights<T>& weights, std::size_t n_texts,
                        std::size_t n_heads)>
        transformer_block;
};

/// Ours, of autograd's operations (Ba et al. 2016; Radford et al. 2019).
template <class T>
Parts<T> parts();

} // namespace language
