#pragma once

#include <cstddef>

namespace attention {

/// The most threads, the caller's among them, that parallel_for was told to share work out to since
/// this was last asked; 0: none. Lets a test check that the thread limit was respected.
std::size_t most_workers_since_asked();

} // namespace attention
