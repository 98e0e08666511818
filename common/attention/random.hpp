#pragma once

#include "attention/tensor.hpp"

#include <cstdint>

namespace attention {

/// Independent standard normal numbers that depend on the seed alone: the same doubles with every
/// compiler, standard library and machine, which std::normal_distribution does not promise.
///   returns (n)
Vector standard_normal(std::size_t n, std::uint64_t seed);

/// The same numbers as standard_normal(rows · columns, seed), row after row.
///   returns (rows, columns)
Matrix standard_normal(std::size_t rows, std::size_t columns, std::uint64_t seed);

} // namespace attention
