#pragma once

#include "attention/random.hpp"
#include "judge/redraw.hpp"

/// What graders draw their inputs from: attention's random numbers, drawn anew in a run with
/// --seed.
namespace drawn {

inline attention::Vector standard_normal(std::size_t n, std::uint64_t seed) {
    return attention::standard_normal(n, judge::redrawn(seed));
}

inline attention::Matrix standard_normal(std::size_t rows, std::size_t columns,
                                         std::uint64_t seed) {
    return attention::standard_normal(rows, columns, judge::redrawn(seed));
}

} // namespace drawn
