#pragma once

#include <cstddef>
#include <filesystem>

namespace judge {

/// The bytes that a program's code and static arrays take before it begins, thread_local ones
/// among them, as the headers of its file have it; 0 where that is no program of this machine's
/// kind.
std::size_t static_memory_of(const std::filesystem::path& program);

} // namespace judge
