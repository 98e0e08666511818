#pragma once

#include <cstdint>
#include <random>

namespace judge {

/// The grader's --seed, or 0. Each seed draws other random inputs.
inline std::uint64_t& run_seed() {
    static std::uint64_t seed = 0;
    return seed;
}

/// The seed to draw by where the grader's text says `seed`: that itself, or in a run with a seed of
/// its own another that depends on both.
inline std::uint64_t redrawn(std::uint64_t seed) {
    std::seed_seq both{seed, run_seed()};
    return run_seed() == 0 ? seed : std::mt19937_64(both)();
}

} // namespace judge
