#pragma once

// The common boundary of plain and streaming attention: shape checks and the broadcast of masks.
// Inner to common/attention and common/streaming. Inputs are (batch, n, d) or (batch, heads, n, d);
// what the leading axes multiply to is counted in `heads_of`.

#include "attention/shapes.hpp"

#include <cmath>
#include <cstddef>
#include <optional>

namespace attention {

// The last axis of Q and K, whatever the rank.
template <class Array>
void check_dk(const char* function, const Array& Q, const Array& K) {
    const std::size_t last = Q.dimension() - 1;
    require_shared(function, "d_k", Axis{"Q", Q, last}, Axis{"K", K, last});
    if (Q.shape(last) == 0) {
        throw std::invalid_argument(std::string(function) +
                                    ": d_k must be at least 1, got 0; Q is " + shape_text(Q) +
                                    ", K is " + shape_text(K));
    }
}

template <class Array>
void check_batches(const char* function, const Array& Q, const Array& K, const Array& V) {
    const std::size_t row_axis = Q.dimension() - 2;
    for (std::size_t axis = 0; axis < row_axis; ++axis) {
        const char* name = axis == 0 ? "batch" : "heads";
        require_shared(function, name, Axis{"Q", Q, axis}, Axis{"K", K, axis});
        require_shared(function, name, Axis{"K", K, axis}, Axis{"V", V, axis});
    }
    check_dk(function, Q, K);
    require_shared(function, "n_keys", Axis{"K", K, row_axis}, Axis{"V", V, row_axis});
}

/// batch, or batch · heads.
template <class Array>
std::size_t heads_of(const Array& X) {
    std::size_t count = 1;
    for (std::size_t axis = 0; axis + 2 < X.dimension(); ++axis) {
        count *= X.shape(axis);
    }
    return count;
}

/// 1/√d_k unless the options say otherwise.
template <class Options, class Array>
double scale_of(const Options& options, const Array& Q) {
    return options.scale ? *options.scale
                         : 1.0 / std::sqrt(static_cast<double>(Q.shape(Q.dimension() - 1)));
}

/// A mask as loops read it: an axis that is missing or 1 has stride 0.
template <class T>
class Broadcast {
public:
    template <class Array>
    Broadcast(const char* function, const char* name, const std::optional<xt::xarray<T>>& mask,
              const Array& Q, const Array& K) {
        if (!mask) {
            return;
        }
        const std::size_t rank = Q.dimension();
        const bool has_heads = rank == 4;
        const std::size_t mask_rank = mask->dimension();
        if (mask_rank < 2 || mask_rank > rank) {
            throw std::invalid_argument(std::string(function) + ": " + name + " must have rank " +
                                        (has_heads ? "2, 3 or 4" : "2 or 3") + ", got " +
                                        std::to_string(mask_rank) + "; " + name + " is " +
                                        shape_text(*mask));
        }
        std::size_t stride = 1;
        for (std::size_t last = 0; last < mask_rank; ++last) { // axes from the last to the first
            const std::size_t axis = rank - 1 - last;
            const std::size_t target = last == 0 ? K.shape(rank - 2) : Q.shape(axis);
            const std::size_t size = mask->shape(mask_rank - 1 - last);
            if (size != target && size != 1) {
                throw std::invalid_argument(
                    std::string(function) + ": " + name + " must broadcast to (batch, " +
                    (has_heads ? "heads, " : "") + "n_queries, n_keys), got " + shape_text(*mask) +
                    "; Q is " + shape_text(Q) + ", K is " + shape_text(K));
            }
            // Rank 3 has no heads: its batch is axis 0 of (batch, heads, rows, keys) all the same.
            strides_[last == 2 && !has_heads ? 0 : 3 - last] = size == 1 ? 0 : stride;
            stride *= size;
        }
        data_ = mask->data();
        heads_ = has_heads ? Q.shape(1) : 1;
    }

    /// The part of the mask for head number `head` of batch · heads; null if there is none.
    const T* of_head(std::size_t head) const {
        return data_ == nullptr ? nullptr
                                : data_ + head / heads_ * strides_[0] + head % heads_ * strides_[1];
    }
    std::size_t row_stride() const { return strides_[2]; }
    std::size_t key_stride() const { return strides_[3]; }

private:
    const T* data_ = nullptr;
    std::size_t heads_ = 1;
    std::size_t strides_[4] = {0, 0, 0, 0}; // batch, heads, rows, keys
};

} // namespace attention
