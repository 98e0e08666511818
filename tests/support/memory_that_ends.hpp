#pragma once

#include <cstddef>

namespace support {

/// While it lives, `new` on this thread succeeds so many times, and then throws std::bad_alloc. For
/// tests that have memory_that_ends.cpp among their sources.
class MemoryThatEnds {
public:
    explicit MemoryThatEnds(std::size_t allocations);
    ~MemoryThatEnds();
    MemoryThatEnds(const MemoryThatEnds&) = delete;
    MemoryThatEnds& operator=(const MemoryThatEnds&) = delete;
};

} // namespace support
