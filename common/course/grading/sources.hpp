#pragma once

#include <map>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// Remembers, beside each compiled exercise, the text that it was compiled from. Ninja goes by the
/// times of files: it would keep what was made from a text that an older one has replaced since, as
/// when a backup is moved back. Remembers there, too, what the compiler warned of, since it says so
/// only when it compiles. Call these while holding the build's lock.

/// The exercises' texts now. Where one is not what its object was made from, the object is removed.
std::map<std::string, std::string> forget_stale_objects(const Project& project);

/// Notes the texts of those exercises that have not changed again during the build, and the
/// warnings about those that have just been compiled. warnings: by object file.
void remember(const Project& project, const std::map<std::string, std::string>& before,
              const std::map<std::string, std::string>& warnings);

/// What the compiler warned of when it last compiled an exercise.
std::string warnings_about(const Project& project, const Exercise& exercise);

} // namespace course
