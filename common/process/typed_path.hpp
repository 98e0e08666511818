#pragma once

#include <cstdlib>
#include <filesystem>

namespace process {

/// A path as it was typed in: ./course runs in the course's folder, and says where it was called.
inline std::filesystem::path typed_path(const std::filesystem::path& path) {
    const char* const from = std::getenv("COURSE_CALLED_FROM");
    return (from == nullptr ? std::filesystem::current_path() : std::filesystem::path(from)) / path;
}

} // namespace process
