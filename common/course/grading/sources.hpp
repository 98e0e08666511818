#pragma once

#include <map>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// Remembers, beside each compiled exercise, the text that it was compiled from. Ninja compares the
/// times of files, and would miss an older file that replaces a newer one, such as a backup that is
/// moved back. Also remembers the compiler's warnings, which it prints only when it compiles. Call
/// these under the build's lock.

/// The exercises' texts now. Removes each object that was made from another text.
std::map<std::string, std::string> forget_stale_objects(const Project& project);

/// Records the texts of the exercises that have not changed again during the build, and the
/// warnings about those that have just been compiled, by object file.
void remember(const Project& project, const std::map<std::string, std::string>& before,
              const std::map<std::string, std::string>& warnings);

/// The warnings when an exercise was last compiled.
std::string warnings_about(const Project& project, const Exercise& exercise);

} // namespace course
