#pragma once

// Shared by the fast forms: from arrays to heads, and the number of threads worth using. Inner to
// common/attention and common/streaming.

#include "attention/attention.hpp"
#include "attention/batches.hpp"
#include "attention/head.hpp"
#include "machine/parallel.hpp"

#include <vector>

namespace attention {

/// Every head of the inputs, with its mask. Throws as scaled_dot_product_attention says, in the
/// name of `function`. The heads point into the arrays and the options.
template <class Tensor>
auto split_heads(const char* function, const Tensor& Q, const Tensor& K, const Tensor& V,
                 const AttentionOptions& options) {
    using T = typename Tensor::value_type;
    check_batches(function, Q, K, V);
    const Broadcast<bool> mask(function, "mask", options.mask, Q, K);
    const Broadcast<double> additive(function, "additive", options.additive, Q, K);
    const std::size_t rank = Q.dimension();
    Head<T> head{};
    head.n_queries = Q.shape(rank - 2);
    head.n_keys = K.shape(rank - 2);
    head.d_k = Q.shape(rank - 1);
    head.d_v = V.shape(rank - 1);
    head.scale = scale_of(options, Q);
    std::vector<Head<T>> heads(heads_of(Q), head);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        heads[h].Q = Q.data() + h * head.n_queries * head.d_k;
        heads[h].K = K.data() + h * head.n_keys * head.d_k;
        heads[h].V = V.data() + h * head.n_keys * head.d_v;
        heads[h].mask = {mask.of_head(h),     mask.row_stride(),     mask.key_stride(),
                         additive.of_head(h), additive.row_stride(), additive.key_stride(),
                         options.is_causal};
    }
    return heads;
}

/// How many threads to use: no more than have about a hundred microseconds of work each.
template <class T>
std::size_t useful_threads(const std::vector<Head<T>>& heads, const AttentionOptions& options) {
    constexpr std::size_t worth_a_thread = std::size_t{1} << 21; // multiplications
    const Head<T>& head = heads.front();
    const std::size_t work =
        heads.size() * head.n_queries * head.n_keys * (head.d_k + head.d_v + 1);
    return std::min(thread_count(options.threads), 1 + work / worth_a_thread);
}

} // namespace attention
