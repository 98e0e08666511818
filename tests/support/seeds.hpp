#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace drawn {

/// Seeds that have nothing to do with each other, and use all of their bits (splitmix64).
inline std::vector<std::uint64_t> scattered(std::size_t count, std::uint64_t start) {
    std::vector<std::uint64_t> seeds(count);
    for (std::uint64_t& seed : seeds) {
        std::uint64_t bits = start += 0x9e3779b97f4a7c15;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        seed = bits ^ (bits >> 31);
    }
    return seeds;
}

} // namespace drawn
