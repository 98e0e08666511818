#pragma once

#include <filesystem>

namespace judge {

/// Called in a forked child before it becomes a submission: removes its access to what no exercise
/// needs. It may change files only below its own folder, and start threads but no process; it
/// cannot signal or inspect another process, and has no network. README.md says what this needs
/// from the kernel. Does nothing except on Linux.
///   program   the text that execve will get, at this address: it can become no other program
void confine(const std::filesystem::path& folder, const char* program);

} // namespace judge
