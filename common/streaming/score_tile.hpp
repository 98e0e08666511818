#pragma once

// One tile of scores, masked, with the largest of every row, for the forward and backward passes.
// Inner to the files compiled for the machine at hand.

#include "attention/mask_row.hpp"
#include "machine/register_tile.hpp"
#include "streaming/forward_kernel.hpp"

namespace attention {
namespace {

inline constexpr double log2_e = 1.4426950408889634;
template <class T>
constexpr T ln_2 = static_cast<T>(0.69314718055994531);

/// Scores of `rows` queries from i on with a range of keys, Q · Kᵀ in units of log₂, masked; past
/// the range, up to a whole panel, −∞.
///   Q (rows, d_k) as pack_left puts it   packed_keys  from the range's first panel on
///   scores (rows, stride)   most (rows), in each lane the largest of its keys
template <std::size_t rows, std::size_t stride, class T>
void score_tile(const Head<T>& head, const T* Q, const T* packed_keys, std::size_t i,
                const KeyRange& keys, T* scores, Lanes<T>* most) {
    const std::size_t padded = rounded_up(keys.count, panel<T>);
    std::fill_n(most, rows, Lanes<T>(-std::numeric_limits<T>::infinity()));
    for (std::size_t j = 0; j < padded; j += panel<T>) {
        RegisterTile<T, rows> tile;
        tile.template add_product<1, rows>(Q, packed_keys + j * head.d_k, panel<T>, head.d_k);
        tile.store(scores + j, stride);
        // The numbers are in registers now: their maximum is almost free.
        for (std::size_t r = 0; r < rows; ++r) {
            most[r] = larger(most[r], larger(tile.sum[r][0], tile.sum[r][1]));
        }
    }
    // Most tiles need no mask. A causal one is needed on the diagonal alone.
    const HeadMask& mask = head.mask;
    if (mask.allowed != nullptr || padded != keys.count ||
        (mask.is_causal && keys.first + keys.count > i + 1)) {
        for (std::size_t r = 0; r < rows; ++r) {
            T* const row = scores + r * stride;
            mask_row(mask, i + r, keys, padded, row);
            most[r] = Lanes<T>(-std::numeric_limits<T>::infinity());
            for (std::size_t j = 0; j < padded; j += lanes<T>) {
                most[r] = larger(most[r], Lanes<T>::load_aligned(row + j));
            }
        }
    }
}

} // namespace
} // namespace attention
