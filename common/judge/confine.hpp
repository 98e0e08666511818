#pragma once

#include <filesystem>

namespace judge {

/// In a forked child, before it becomes a submission: takes from it what no exercise needs. It may
/// write files only below its own folder, and neither send signals to other processes nor reach
/// into them. As far as the kernel goes along (Linux 5.13 for files); elsewhere nothing happens.
void confine(const std::filesystem::path& folder);

/// Keeps the memory of this process from being read through /proc by others of the same user.
void hide_memory();

} // namespace judge
