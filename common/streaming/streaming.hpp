#pragma once

#include "attention/attention.hpp"

namespace attention {

/// The result of a streaming forward. It has no weights, but a weight is exp(q·k / √d_k −
/// logsumexp), so one number per query is enough to recompute any of them.
template <class T>
struct Streamed {
    xt::xtensor<T, 3> output;    // (batch, n_queries, d_v)
    xt::xtensor<T, 2> logsumexp; // (batch, n_queries), nats; −∞: sees no key
};

/// Scaled dot-product attention without its weights: what scaled_dot_product_attention returns as
/// output, tile by tile of keys under a running maximum (Milakov and Gimelshein 2018, "Online
/// normalizer calculation for softmax"; Dao et al. 2022, "FlashAttention").
///   Q (batch, n_queries, d_k)   K (batch, n_keys, d_k)   V (batch, n_keys, d_v)
/// Exact: only the order of the sums differs from the plain form's. A blocked key weighs exactly 0
/// and a query that may see none has output 0. All numbers must be finite, and scores such that T
/// holds them. The result is the same to the last bit whatever the number of threads. Beside the
/// result it stores a transposed copy of the keys of each head being
/// worked on, usually one head at a time, and less than 1 MB a thread for d up to 256.
/// T is float or double. Throws std::invalid_argument as scaled_dot_product_attention does.
template <class T>
Streamed<T> streaming_attention(const xt::xtensor<T, 3>& Q, const xt::xtensor<T, 3>& K,
                                const xt::xtensor<T, 3>& V, const AttentionOptions& options = {});

template <class T>
struct AttentionGradients {
    xt::xtensor<T, 3> Q, K, V; // each of its input's shape
};

/// Gradients of a scalar with respect to Q, K and V, from that with respect to the output. The
/// weights are recomputed, tile by tile, from the forward's logsumexp (Dao et al. 2022, §3.1).
///   forward   what streaming_attention returned for the same inputs and options
///   d_output  of its output's shape
/// For finite inputs, blocked ones too, and scores that T can hold. A blocked key gets exactly 0
/// from the queries it is blocked for, and a query that may see no key has gradient 0. The result
/// is the same to the last bit whatever the number of threads: a head is one thread's. Each thread
/// stores a transposed copy of a head's keys, sums of the size of its K and V where d_k or d_v
/// fills no whole panels, and at most 2 MB for d up to 256. Throws std::invalid_argument as
/// streaming_attention does, and if forward or d_output has another shape than the inputs ask for.
template <class T>
AttentionGradients<T>
streaming_attention_backward(const xt::xtensor<T, 3>& Q, const xt::xtensor<T, 3>& K,
                             const xt::xtensor<T, 3>& V, const Streamed<T>& forward,
                             const xt::xtensor<T, 3>& d_output,
                             const AttentionOptions& options = {});

} // namespace attention
