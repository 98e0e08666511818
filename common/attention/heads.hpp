#pragma once

// The common boundary of plain and streaming attention: shape checks, the broadcast of masks, the
// number of threads worth using. Inner to common/attention and common/streaming.

#include "attention/attention.hpp"
#include "attention/head.hpp"
#include "attention/shapes.hpp"
#include "machine/parallel.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace attention {

/// A mask for a batch as kernels read it: an axis that is missing or 1 has stride 0.
class BatchMask {
public:
    template <class Array>
    BatchMask(const char* function, const AttentionOptions& options, const Array& Q,
              const Array& K) {
        rows_.is_causal = options.is_causal;
        if (!options.mask) {
            return;
        }
        const auto& mask = *options.mask;
        const std::size_t rank = mask.dimension();
        if (rank != 2 && rank != 3) {
            throw std::invalid_argument(std::string(function) +
                                        ": mask must have rank 2 or 3, got " +
                                        std::to_string(rank) + "; mask is " + shape_text(mask));
        }
        const std::array target{Q.shape(0), Q.shape(1), K.shape(1)};
        std::array<std::size_t, 3> strides{};
        std::size_t stride = 1;
        for (std::size_t axis = 3; axis-- > 3 - rank;) {
            const std::size_t size = mask.shape(axis + rank - 3);
            if (size != target.at(axis) && size != 1) {
                throw std::invalid_argument(
                    std::string(function) +
                    ": mask must broadcast to (batch, n_queries, n_keys), got " + shape_text(mask) +
                    "; Q is " + shape_text(Q) + ", K is " + shape_text(K));
            }
            strides.at(axis) = size == 1 ? 0 : stride;
            stride *= size;
        }
        stride_ = strides[0];
        rows_.allowed = mask.data();
        rows_.row_stride = strides[1];
        rows_.key_stride = strides[2];
    }

    /// The part of one element of the batch.
    HeadMask of(std::size_t element) const {
        HeadMask mask = rows_;
        mask.allowed += rows_.allowed == nullptr ? 0 : element * stride_;
        return mask;
    }

private:
    std::size_t stride_ = 0;
    HeadMask rows_; // of element 0
};

/// Every element of the batch, with its mask. Throws as scaled_dot_product_attention says, in the
/// name of `function`. The heads point into the arrays and the options.
template <class T>
std::vector<Head<T>> split_heads(const char* function, const xt::xtensor<T, 3>& Q,
                                 const xt::xtensor<T, 3>& K, const xt::xtensor<T, 3>& V,
                                 const AttentionOptions& options) {
    require_shared(function, "batch", Axis{"Q", Q, 0}, Axis{"K", K, 0});
    require_shared(function, "batch", Axis{"K", K, 0}, Axis{"V", V, 0});
    check_dk(function, Q, K);
    require_shared(function, "n_keys", Axis{"K", K, 1}, Axis{"V", V, 1});
    const BatchMask mask(function, options, Q, K);
    Head<T> head{};
    head.n_queries = Q.shape(1);
    head.n_keys = K.shape(1);
    head.d_k = Q.shape(2);
    head.d_v = V.shape(2);
    head.scale = 1.0 / std::sqrt(static_cast<double>(head.d_k));
    std::vector<Head<T>> heads(Q.shape(0), head);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        heads[h].Q = Q.data() + h * head.n_queries * head.d_k;
        heads[h].K = K.data() + h * head.n_keys * head.d_k;
        heads[h].V = V.data() + h * head.n_keys * head.d_v;
        heads[h].mask = mask.of(h);
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
