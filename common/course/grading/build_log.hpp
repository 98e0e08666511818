#pragma once

// What the build tool and the compilers that it started have printed.

#include <map>
#include <string>

namespace course {

struct BuildResult {
    bool ok = true;
    /// What the compiler or linker printed, by the file that could not be made; "" for trouble that
    /// belongs to no file.
    std::map<std::string, std::string> failures;
    /// What it printed about each file that it made: warnings, or nothing.
    std::map<std::string, std::string> warnings;
};

/// What the build tool printed, taken apart. step: what each of its steps begins with, which no
/// compiler knows; only the line after a step says that it failed.
BuildResult read_build_log(const std::string& log, const std::string& step);

/// The last lines that are no step: why the build tool stopped, where it names no file, as when it
/// is interrupted.
std::string last_lines(const std::string& log, const std::string& step);

/// What kept the compiler or linker from its work, if that was the machine: it was killed, there
/// was no process, no descriptor, no room. "" if it was the code.
std::string machine_fault_in(const std::string& log);

/// Why a compiler was ended at one of our limits (cmake/limits.cmake), in a sentence; "" if it was
/// not.
std::string limit_in(const std::string& log);

} // namespace course
