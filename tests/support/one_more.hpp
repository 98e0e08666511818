#pragma once

#include <array>
#include <cstddef>
#include <vector>

/// Sizes that are one more than whole blocks, or more than 16 bits can count.
namespace drawn {

/// These sizes, then 17 and 33 beside small ones, and then 65 and 129, one at a time. Of 17
/// elements in shares of ⌈17/8⌉ the last of eight workers begins behind the end; the last block of
/// 4, 8, 16 or 32 has one element.
template <std::size_t N>
std::vector<std::array<std::size_t, N>>
and_one_more(std::vector<std::array<std::size_t, N>> sizes = {}) {
    constexpr std::array<std::size_t, 6> of_all{17, 33, 5, 3, 2, 9};
    static_assert(N <= of_all.size());
    for (std::size_t turn = 0; turn < N; ++turn) {
        sizes.emplace_back();
        for (std::size_t k = 0; k < N; ++k) {
            sizes.back()[(k + turn) % N] = of_all[k];
        }
    }
    for (const std::size_t large : {65U, 129U}) {
        for (std::size_t at = 0; at < N; ++at) {
            sizes.emplace_back();
            for (std::size_t k = 0; k < N; ++k) {
                sizes.back()[k] = k == at ? large : 1 + (k + at) % 3;
            }
        }
    }
    return sizes;
}

/// These sizes, and then 66,001 in each dimension from one on, where the others leave little to do.
/// Not as many rows: a thread for each is right, and a machine has not thousands.
template <std::size_t N>
std::vector<std::array<std::size_t, N>> and_wide(std::vector<std::array<std::size_t, N>> sizes = {},
                                                 std::size_t from = 1) {
    for (std::size_t at = from; at < N; ++at) {
        sizes.emplace_back();
        for (std::size_t k = 0; k < N; ++k) {
            sizes.back()[k] = k == at ? 66'001 : 1 + (k + at) % 2;
        }
    }
    return sizes;
}

} // namespace drawn
