#pragma once

#include <map>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// Remembers, beside each compiled exercise, the text that it was compiled from. Ninja goes by the
/// times of files: it would keep what was made from a text that an older one has replaced since, as
/// when a backup is moved back. Call both while holding the build's lock.

/// The exercises' texts now. Where one is not what its object was made from, the object is removed.
std::map<std::string, std::string> forget_stale_objects(const Project& project);

/// Notes the texts of those exercises that have not changed again during the build.
void remember_sources(const Project& project, const std::map<std::string, std::string>& before);

} // namespace course
