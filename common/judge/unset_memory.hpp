#pragma once

// Memory from `new` is filled before the submission sees it, so that an element that is never given
// a value is wrong every time, and a different one when the grader chooses another filling.
// Defines the operators: included by child_main.cpp alone.

#include <cstdlib>
#include <cstring>
#include <new>

#include "judge/protocol.hpp"
#include "judge/sanitized.hpp"

namespace judge {
namespace {

// NOLINTNEXTLINE(misc-definitions-in-headers): included by child_main.cpp alone
int fresh_memory_byte = usual_fill;

} // namespace
} // namespace judge

#ifndef JUDGE_SANITIZED // a sanitizer has its own
// NOLINTBEGIN(misc-definitions-in-headers, cert-dcl*)
namespace judge {
namespace {

void* filled(void* memory, std::size_t size) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return std::memset(memory, fresh_memory_byte, size);
}

} // namespace
} // namespace judge

// If a pair of these operators is inlined, the compiler sees memory from new that free releases.
[[gnu::noinline]] void* operator new(std::size_t size) {
    return judge::filled(std::malloc(size > 0 ? size : 1), size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    const std::size_t whole = (size + unit - 1) / unit * unit;
    return judge::filled(std::aligned_alloc(unit, whole > 0 ? whole : unit), size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
// NOLINTEND(misc-definitions-in-headers, cert-dcl*)
#endif
