#pragma once

// Memory from `new` is filled before the submission sees it, so that an element that is never given
// a value is wrong every time, and a different one when the grader asks for another filling; and it
// is counted. So is what malloc hands out, where the C library is glibc. There, what is behind the
// end of an array from `new` is filled, too, and looked at when the array goes: an index too far
// reads what is never right, and a write there ends the program.
// Defines the operators and malloc: included by child_main.cpp alone, and all else is local to that
// file: a submission's own code can neither name it nor define it anew.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// By hand, and through volatile: std::memset, which a compiler would make of a loop, may be a
/// submission's own.
void* filled(void* memory, std::size_t size) {
    const auto byte = static_cast<unsigned char>(fresh_memory_byte);
    const std::uint64_t eight = byte * std::uint64_t{0x0101010101010101};
    const std::size_t words = size / sizeof eight;
    auto* const word = static_cast<volatile std::uint64_t*>(memory); // allocators align to 16
    for (std::size_t i = 0; i < words; ++i) {
        word[i] = eight;
    }
    auto* const rest = static_cast<volatile unsigned char*>(memory);
    for (std::size_t i = words * sizeof eight; i < size; ++i) {
        rest[i] = byte;
    }
    return memory;
}

void give_back(void* memory) {
    count_freed(memory);
    system_free(memory);
}

#ifdef __GLIBC__
/// At least so much is behind an array: what a register of eight doubles reaches past its end, and
/// the last word of its block, which tells how long the array is, and what all behind it was filled
/// with.
constexpr std::size_t room_behind = 64;
constexpr std::size_t most_behind = 8192; // glibc rounds large blocks up to pages
constexpr std::uint64_t key_of_last_word = 0x6A09E667F3BCC908;
constexpr unsigned size_bits = 56;

std::uint64_t& last_word(void* memory, std::size_t usable) {
    return *reinterpret_cast<std::uint64_t*>(static_cast<char*>(memory) + usable -
                                             sizeof(std::uint64_t));
}

void* with_end(void* memory, std::size_t size) {
    const std::size_t usable = malloc_usable_size(memory);
    filled(memory, usable);
    const auto byte = static_cast<std::uint64_t>(fresh_memory_byte & 0xFF);
    last_word(memory, usable) = (byte << size_bits | size) ^ key_of_last_word;
    return memory;
}

/// Ends the program, with a line that says why, if something was written behind the array. Where
/// the last word tells nothing, the block is one of malloc's, or its end is far behind what was
/// written, which malloc sees by itself.
void demand_whole_end(void* memory) {
    if (memory == nullptr) {
        return;
    }
    const std::size_t usable = malloc_usable_size(memory);
    if (usable < room_behind) {
        return;
    }
    const std::uint64_t told = last_word(memory, usable) ^ key_of_last_word;
    const std::uint64_t size = told & ((std::uint64_t{1} << size_bits) - 1);
    if (size > usable - room_behind || usable - size > most_behind) {
        return;
    }
    const auto* const byte = static_cast<const unsigned char*>(memory);
    for (std::size_t i = size; i < usable - sizeof told; ++i) {
        if (byte[i] != told >> size_bits) {
            std::fputs("written past the end of an array from new, or of a std::vector or a "
                       "Matrix\n",
                       stderr);
            std::abort();
        }
    }
    last_word(memory, usable) = 0; // who gets the block next may be another
}

std::size_t with_room(std::size_t size) {
    return size + room_behind < size ? size : size + room_behind; // too much is too much
}
#else
void* with_end(void* memory, std::size_t size) {
    return filled(memory, size);
}
void demand_whole_end(void*) {}
std::size_t with_room(std::size_t size) {
    return size > 0 ? size : 1;
}
#endif

void* fresh(void* memory, std::size_t size) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return with_end(counted(memory), size);
}

void take_back(void* memory) {
    demand_whole_end(memory);
    give_back(memory);
}

} // namespace
} // namespace judge

void* operator new(std::size_t size) {
    return judge::fresh(judge::system_malloc(judge::with_room(size)), size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return judge::fresh(
        judge::system_aligned(static_cast<std::size_t>(alignment), judge::with_room(size)), size);
}
void operator delete(void* memory) noexcept {
    judge::take_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    judge::take_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    judge::take_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    judge::take_back(memory);
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
