#pragma once

#include "attention/tensor.hpp"

#include <cstdint>

namespace attention {

/// Numbers that differ in one bit become numbers that have nothing to do with each other (Steele,
/// Lea and Flood 2014, SplitMix64, whose states are `golden_ratio` apart).
inline std::uint64_t scrambled(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}
constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;

/// Independent standard normal numbers that depend on the seed alone: the same doubles with every
/// compiler, standard library and machine, which std::normal_distribution does not promise.
///   returns (n)
Vector standard_normal(std::size_t n, std::uint64_t seed);

/// The same numbers as standard_normal(rows · columns, seed), row after row.
///   returns (rows, columns)
Matrix standard_normal(std::size_t rows, std::size_t columns, std::uint64_t seed);

} // namespace attention
