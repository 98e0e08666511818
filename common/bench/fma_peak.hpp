#pragma once

#include <cstddef>

namespace attention {

/// What this machine's arithmetic can do at most: float operations a second, two a fused
/// multiply-add, on one thread in a loop that touches no memory.
///   seconds  how long to measure
double fma_peak(double seconds);

/// The same of so many threads at once, for a hundredth of a second: they may share what bounds
/// them.
double fma_peak_of(std::size_t threads);

} // namespace attention
