#pragma once

#include <vector>

#include "attention/random.hpp"

namespace drawn {

/// Seeds that have nothing to do with each other, and use all of their bits.
inline std::vector<std::uint64_t> scattered(std::size_t count, std::uint64_t start) {
    std::vector<std::uint64_t> seeds(count);
    for (std::uint64_t& seed : seeds) {
        seed = attention::scrambled(start += attention::golden_ratio);
    }
    return seeds;
}

} // namespace drawn
