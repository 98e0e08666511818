#pragma once

#include <cstddef>
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

/// The whole of a file, or nothing if it cannot be read, or is larger than what is given.
std::optional<std::string> read_file(const std::filesystem::path& path,
                                     std::size_t most = std::string::npos);

/// No exercise's file is larger: an empty part of a disk, say, whose size somebody has set.
constexpr std::size_t most_of_an_exercise = std::size_t{1} << 20;

/// The whole of an exercise's file, or nothing if it cannot be read, or is too large to be one.
std::optional<std::string> read_exercise(const std::filesystem::path& path);
/// Whether it can be looked at, and is too large.
bool is_too_large(const std::filesystem::path& path);

/// Writes a file whole or not at all: under another name first, then renamed. Creates its folder.
/// Throws std::runtime_error, with the path and the reason, and leaves what was there: MachineFault
/// where no other path would help.
void write_file(const std::filesystem::path& path, const std::string& text);

} // namespace course
