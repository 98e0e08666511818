#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace course {

/// The machine, not anybody's code, kept something from being done: a full disk, a limit, a killed
/// program. Exit status 3.
struct MachineFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The whole of a file, or nothing if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Writes a file whole or not at all: under another name first, then renamed. Creates its folder.
/// Throws std::runtime_error, with the path and the reason, and leaves what was there: MachineFault
/// where no other path would help.
void write_file(const std::filesystem::path& path, const std::string& text);

} // namespace course
