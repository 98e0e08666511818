#pragma once

#include "attention/attention.hpp"
#include "autograd/tape.hpp"

namespace autograd {

/// Scaled dot-product attention on a tape, streaming in both directions (streaming/streaming.hpp):
/// neither the weights nor their gradients are ever held.
///   Q (batch, n_queries, d_k)   K (batch, n_keys, d_k)   V (batch, n_keys, d_v)
///   returns (batch, n_queries, d_v)
/// Throws std::invalid_argument as attention::scaled_dot_product_attention does, and if Q, K or V
/// is of another rank.
template <class T>
BasicValue<T> scaled_dot_product_attention(const BasicValue<T>& Q, const BasicValue<T>& K,
                                           const BasicValue<T>& V,
                                           const attention::AttentionOptions& options = {});

} // namespace autograd
