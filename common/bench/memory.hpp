#pragma once

#include <cstddef>

namespace bench {

/// Bytes from operator new that were in use at once during one streaming call, beyond what was
/// before and what the call returns.
struct ExtraMemory {
    std::size_t forward, backward;
};
ExtraMemory extra_memory(std::size_t heads, std::size_t n, std::size_t d, std::size_t threads);

} // namespace bench
