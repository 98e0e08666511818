#pragma once

// A mask on a row of scores. Inner to the files compiled for the machine at hand.

#include "attention/head.hpp"

#include <algorithm>
#include <limits>

namespace attention {
namespace {

/// Keys first … first + count, of the tile_count keys of a tile.
struct KeyRange {
    std::size_t first, count, tile_count;
};

/// How many keys are seen by any of the queries before `end`.
template <class T>
std::size_t keys_seen(const Head<T>& head, std::size_t end) {
    return head.mask.is_causal ? std::min(end, head.n_keys) : head.n_keys;
}

/// −∞ for the scores of a row that the mask blocks, and from the range's end up to `padded`.
template <class T>
void mask_row(const HeadMask& mask, std::size_t i, const KeyRange& keys, std::size_t padded,
              T* scores) {
    constexpr T blocked = -std::numeric_limits<T>::infinity();
    if (mask.allowed != nullptr) {
        const bool* allowed = mask.allowed + i * mask.row_stride + keys.first * mask.key_stride;
        for (std::size_t j = 0; j < keys.count; ++j) {
            scores[j] = allowed[j * mask.key_stride] ? scores[j] : blocked;
        }
    }
    std::size_t end = keys.count;
    if (mask.is_causal) {
        end = std::min(end, i < keys.first ? 0 : i + 1 - keys.first);
    }
    std::fill(scores + end, scores + padded, blocked);
}

} // namespace
} // namespace attention
