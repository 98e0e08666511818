#pragma once

#include "attention/attention.hpp"
#include "autograd/tape.hpp"

namespace autograd {

/// Scaled dot-product attention on a tape, streaming in both directions (streaming/streaming.hpp):
/// neither the weights nor their gradients are ever stored.
///   Q (batch, n_queries, d_k)   K (batch, n_keys, d_k)   V (batch, n_keys, d_v)
///   returns (batch, n_queries, d_v)
/// Throws std::invalid_argument as attention::scaled_dot_product_attention does, and if Q, K or V
/// is of another rank.
template <class T>
BasicValue<T> scaled_dot_product_attention(const BasicValue<T>& Q, const BasicValue<T>& K,
                                           const BasicValue<T>& V,
                                           const attention::AttentionOptions& options = {});

/// Self-attention of several heads under a causal mask: a position sees itself and those before it,
/// of its own text, through its own head's d / n_heads components.
///   Q, K, V (n_texts · n, d): texts one after another, heads side by side
///   returns (n_texts · n, d), the heads' outputs side by side
/// Throws std::invalid_argument if the shapes differ, rows are not n_texts · n, or d is not a
/// multiple of n_heads.
template <class T>
BasicValue<T> causal_attention(const BasicValue<T>& Q, const BasicValue<T>& K,
                               const BasicValue<T>& V, std::size_t n_texts, std::size_t n_heads);

} // namespace autograd
