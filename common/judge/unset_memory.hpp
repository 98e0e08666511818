#pragma once

// Memory from `new` is filled before the submission sees it, so that an element that is never given
// a value is wrong every time, and a different one when the grader asks for another filling; and it
// is counted. So is what malloc hands out, where the C library is glibc.
// Defines the operators and malloc: included by child_main.cpp alone.

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "judge/memory_taken.hpp"
#include "judge/protocol.hpp"

namespace judge {
namespace {

// NOLINTNEXTLINE(misc-definitions-in-headers): included by child_main.cpp alone
int fresh_memory_byte = usual_fill;

} // namespace
} // namespace judge

#ifndef JUDGE_SANITIZED // a sanitizer has its own
// Included by child_main.cpp alone; the names are glibc's.
// NOLINTBEGIN(misc-definitions-in-headers, bugprone-reserved-identifier, cert-dcl*)
#ifdef __GLIBC__
extern "C" { // what malloc and its kin are where a program defines its own
void* __libc_malloc(std::size_t size) noexcept;
void* __libc_calloc(std::size_t count, std::size_t size) noexcept;
void* __libc_realloc(void* memory, std::size_t size) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t size) noexcept;
void __libc_free(void* memory) noexcept;
}
#endif

namespace judge {
namespace {

#ifdef __GLIBC__
constexpr auto system_malloc = __libc_malloc;
constexpr auto system_aligned = __libc_memalign;
constexpr auto system_free = __libc_free;
#else
void* system_malloc(std::size_t size) {
    return std::malloc(size);
}
void* system_aligned(std::size_t alignment, std::size_t size) {
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void system_free(void* memory) {
    std::free(memory);
}
#endif

void* counted(void* memory) {
    if (memory != nullptr) {
        count_allocated(memory);
    }
    return memory;
}

void* fresh(void* memory, std::size_t size) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return std::memset(counted(memory), fresh_memory_byte, size);
}

void give_back(void* memory) {
    count_freed(memory);
    system_free(memory);
}

} // namespace
} // namespace judge

void* operator new(std::size_t size) {
    return judge::fresh(judge::system_malloc(size > 0 ? size : 1), size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return judge::fresh(
        judge::system_aligned(static_cast<std::size_t>(alignment), size > 0 ? size : 1), size);
}
void operator delete(void* memory) noexcept {
    judge::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    judge::give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    judge::give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    judge::give_back(memory);
}

#ifdef __GLIBC__
extern "C" {
void* malloc(std::size_t size) noexcept {
    return judge::counted(judge::system_malloc(size));
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    return judge::counted(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) noexcept {
    const std::int64_t before = memory == nullptr ? 0 : judge::size_of_block(memory);
    void* const moved = __libc_realloc(memory, size);
    if (moved != nullptr || size == 0) { // else the old block is still there
        judge::bytes_in_use -= before;
    }
    return judge::counted(moved);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
    return judge::counted(judge::system_aligned(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    void* const block = memalign(alignment, size);
    if (block == nullptr) {
        return ENOMEM;
    }
    *memory = block;
    return 0;
}
void free(void* memory) noexcept {
    judge::give_back(memory);
}
}
#endif
// NOLINTEND(misc-definitions-in-headers, bugprone-reserved-identifier, cert-dcl*)
#endif
