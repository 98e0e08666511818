#pragma once

// What the build tool and its compilers have printed.

#include <map>
#include <string>

namespace course {

struct BuildResult {
    bool ok = true;
    /// What the compiler or linker printed, by the file that could not be made; "" for trouble
    /// without a file.
    std::map<std::string, std::string> failures;
    /// What was printed about each file that was made: warnings, or nothing.
    std::map<std::string, std::string> warnings;
};

/// What each of ninja's steps begins with, by its NINJA_STATUS.
constexpr const char* step_mark = "@step ";

BuildResult read_build_log(const std::string& log);

/// Why the machine kept the compiler or linker from its work: it was killed, or there was no
/// process, no descriptor, no room. "" if the code is at fault.
std::string machine_fault_in(const std::string& log);

/// A sentence about the limit (cmake/limits.cmake) that ended a compiler; "" if none did.
std::string limit_in(const std::string& log);

} // namespace course
