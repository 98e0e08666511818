#pragma once

#include <cstddef>

namespace attention {

/// The peak of this machine's arithmetic: float operations per second, two per fused multiply-add,
/// on one thread in a loop that touches no memory.
///   seconds  how long to measure
double fma_peak(double seconds);

/// The same for so many threads at once, for a hundredth of a second: they may share what limits
/// them.
double fma_peak_of(std::size_t threads);

} // namespace attention
