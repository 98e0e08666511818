#pragma once

#include "attention/tensor.hpp"

#include <optional>

namespace attention {

/// Scores to weights: softmax(Q Kᵀ / √d_k).
///   Q (n_queries, d_k)   K (n_keys, d_k); they may be the same array
///   returns weights (n_queries, n_keys), each row of which sums to 1
/// Throws std::invalid_argument if Q and K differ in d_k, or d_k is 0.
Matrix attention_weights(const Matrix& Q, const Matrix& K);

struct Attention {
    Matrix output;  // (n_queries, d_v)
    Matrix weights; // (n_queries, n_keys)
};

/// Scaled dot-product attention, softmax(Q Kᵀ / √d_k) V  (Vaswani et al. 2017, eq. 1).
///   Q (n_queries, d_k)   K (n_keys, d_k)   V (n_keys, d_v); they may be the same array
///   returns output (n_queries, d_v) and weights (n_queries, n_keys), each row of which sums to 1
/// Throws std::invalid_argument if Q and K differ in d_k, K and V in n_keys, or d_k is 0.
Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V);

/// What each query may see, and how attention is computed; the meaning is PyTorch's. A key is
/// blocked if either of the first two blocks it.
struct AttentionOptions {
    /// true = attend. Broadcasts to (batch, n_queries, n_keys) as numpy does: rank 2 or 3, each
    /// axis of the target's size or 1.
    std::optional<xt::xarray<bool>> mask = std::nullopt;
    /// Query i sees the keys 0…i, also where n_queries ≠ n_keys.
    bool is_causal = false;
    /// In float, and in double for the streaming form; 0: as many as the machine runs at once.
    std::size_t threads = 0;
};

template <class T>
struct BatchedAttention {
    xt::xtensor<T, 3> output;  // (batch, n_queries, d_v)
    xt::xtensor<T, 3> weights; // (batch, n_queries, n_keys)
};

/// The same for every element of a batch, such as the heads of multi-head attention, under masks.
///   Q (batch, n_queries, d_k)   K (batch, n_keys, d_k)   V (batch, n_keys, d_v)
///   returns output (batch, n_queries, d_v) and weights (batch, n_queries, n_keys)
/// All numbers must be finite. A blocked key weighs exactly 0, and nothing of its K or V reaches
/// the query's output. So under a causal mask an output is the same to the last bit whatever comes
/// later. A query that may see no key has weights and output 0.
/// This is the plain form: it stores all weights. streaming/streaming.hpp computes the output
/// alone, faster and without them. Throws std::invalid_argument if the inputs differ in batch, Q
/// and K in d_k, K and V in n_keys, if d_k is 0, or if the mask has another rank or does not
/// broadcast.
BatchedAttention<double> scaled_dot_product_attention(const Tensor3& Q, const Tensor3& K,
                                                      const Tensor3& V,
                                                      const AttentionOptions& options = {});
BatchedAttention<float> scaled_dot_product_attention(const Tensor3F& Q, const Tensor3F& K,
                                                     const Tensor3F& V,
                                                     const AttentionOptions& options = {});

} // namespace attention
