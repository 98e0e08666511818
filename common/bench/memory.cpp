#include "bench/memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif

namespace {

std::atomic<std::size_t> in_use{0}, most{0};

void* counted(void* memory) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    const std::size_t now = in_use += malloc_usable_size(memory);
    std::size_t before = most;
    while (before < now && !most.compare_exchange_weak(before, now)) {
    }
    return memory;
}

void release(void* memory) {
    in_use -= memory == nullptr ? 0 : malloc_usable_size(memory);
    std::free(memory);
}

} // namespace

// This program's own: every allocation is counted.
void* operator new(std::size_t size) {
    return counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    const std::size_t step = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(step, (size + step) / step * step));
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    release(memory);
}

namespace bench {

std::size_t most_in_use(const std::function<void()>& work) {
    const std::size_t before = in_use;
    most = before;
    work();
    return most - before;
}

} // namespace bench
