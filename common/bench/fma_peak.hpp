#pragma once

namespace attention {

/// What this machine's arithmetic can do at most: float operations a second, two a fused
/// multiply-add, on one thread in a loop that touches no memory.
///   seconds  how long to measure
double fma_peak(double seconds);

} // namespace attention
