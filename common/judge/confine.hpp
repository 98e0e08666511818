#pragma once

#include <filesystem>

namespace judge {

/// In a forked child, before it becomes a submission: takes from it what no exercise needs. It may
/// change files only below its own folder, start threads but no process, and neither signal nor
/// reach into another one; it has no network. As far as the kernel goes along: README.md of this
/// folder says what remains. Elsewhere than on Linux nothing happens.
///   program   the very text that execve will be given: it becomes that program, and no other later
void confine(const std::filesystem::path& folder, const char* program);

} // namespace judge
