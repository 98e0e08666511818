#pragma once

#include <cstddef>

namespace attention {

/// The largest number of threads, the caller's included, that parallel_for was to use since the
/// last call of this; 0: none. Lets a test check that the thread limit was respected.
std::size_t most_workers_since_last_call();

} // namespace attention
