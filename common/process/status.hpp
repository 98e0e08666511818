#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

namespace process {

/// The number in a line of a process's /proc/…/status, such as "Threads", or "VmHWM" in KiB.
/// Nothing if there is no such line, or no /proc.
std::optional<double> status_of(pid_t process, const std::string& name);

/// The bytes of its memory that are not a file's; 0 if that cannot be seen.
double anonymous_memory(pid_t process);

} // namespace process
