#pragma once

#include <array>

/// What drawn numbers are multiplied by, so that no bound below which a number is taken for 0, and
/// none that it is cut at "for stability", stays unseen.
namespace drawn {

inline constexpr std::array<double, 6> scales{1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100};

} // namespace drawn
