#pragma once

#include <cstdint>

namespace judge {

/// The grader's --seed, or 0. Each seed draws other random inputs.
inline std::uint64_t& run_seed() {
    static std::uint64_t seed = 0;
    return seed;
}

/// The seed to draw by where the grader's text says `seed`: that itself, or in a run with a seed of
/// its own another that depends on both (splitmix64).
inline std::uint64_t redrawn(std::uint64_t seed) {
    if (run_seed() == 0) {
        return seed;
    }
    std::uint64_t bits = seed + run_seed() * 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

} // namespace judge
