#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "judge/outcome.hpp"

namespace judge {

/// The memory that a program has before it begins, in bytes, with its code.
struct StaticMemory {
    std::size_t arrays = 0;     // static ones
    std::size_t of_threads = 0; // thread_local ones, of each thread
};

/// As the headers of its file have it: 0 where that is no program of this machine's kind.
StaticMemory static_memory_of(const std::filesystem::path& program);

/// What a program that has ended before it began has died of, if its static memory leaves too
/// little of the limit for its libraries and the heap. limit: bytes, or 0 for none.
std::optional<UsedTooMuchMemory> too_large_to_start(const std::filesystem::path& program,
                                                    std::size_t limit);

} // namespace judge
