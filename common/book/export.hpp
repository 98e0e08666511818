#pragma once

#include <string>

#include "course/lessons.hpp"

namespace book {

/// Writes the pages into a folder as static files with relative links, whose figures run on
/// ours.js. Returns the exit status. Throws BadUse if there is something in the folder that no
/// export has put there.
int export_pages(const course::Project& project, const std::string& folder);

} // namespace book
