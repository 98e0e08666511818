#include "support/memory_that_ends.hpp"

#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t no_end = std::numeric_limits<std::size_t>::max();
thread_local std::size_t allocations_left = no_end;

} // namespace

namespace support {

MemoryThatEnds::MemoryThatEnds(std::size_t allocations) {
    allocations_left = allocations;
}
MemoryThatEnds::~MemoryThatEnds() {
    allocations_left = no_end;
}

} // namespace support

// The standard's new[] and delete[] call these.

void* operator new(std::size_t size) {
    void* const memory = allocations_left > 0 ? std::malloc(size > 0 ? size : 1) : nullptr;
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    allocations_left -= allocations_left == no_end ? 0 : 1;
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
