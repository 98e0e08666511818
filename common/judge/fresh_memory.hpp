#pragma once

// Memory from `new` is filled before the submission sees it, so that an element that is never given
// a value is wrong every time, and a different one when the grader asks for another filling; and it
// is counted.
// Defines the operators: included by child_main.cpp alone.

#include <cstdlib>
#include <cstring>
#include <new>

#include "judge/memory_taken.hpp"
#include "judge/protocol.hpp"

namespace judge {

inline int fresh_memory_byte = usual_fill;

} // namespace judge

#ifndef JUDGE_SANITIZED // a sanitizer has its own
// Included by child_main.cpp alone.
// NOLINTBEGIN(misc-definitions-in-headers)
void* operator new(std::size_t size) {
    void* memory = std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    judge::count_new(memory);
    return std::memset(memory, judge::fresh_memory_byte, size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    judge::count_new(memory);
    return std::memset(memory, judge::fresh_memory_byte, size);
}

void operator delete(void* memory) noexcept {
    judge::count_delete(memory);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    judge::count_delete(memory);
    std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
    judge::count_delete(memory);
    std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    judge::count_delete(memory);
    std::free(memory);
}
// NOLINTEND(misc-definitions-in-headers)
#endif
