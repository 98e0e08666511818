#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace course {

/// The whole of a file, or nothing if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Writes a file whole or not at all: under another name first, then renamed. Creates its folder.
/// Throws std::runtime_error, with the path and the reason, and leaves what was there.
void write_file(const std::filesystem::path& path, const std::string& text);

} // namespace course
