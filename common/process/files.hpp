#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace process {

/// A fault of the machine, not of anybody's code: a full disk, a limit, a killed program. Exit
/// status 3.
struct MachineFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A whole file, or nothing if it cannot be read or has more than `most` bytes.
std::optional<std::string> read_file(const std::filesystem::path& path,
                                     std::size_t most = std::string::npos);

/// Writes a file whole or not at all: under another name first, then renamed. Creates its folder.
/// Throws std::runtime_error "cannot write out/x.csv: Not a directory", and leaves the old file;
/// MachineFault if no other path would help.
void write_file(const std::filesystem::path& path, const std::string& text);

} // namespace process
