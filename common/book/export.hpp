#pragma once

#include <string>

#include "course/lessons.hpp"

namespace book {

/// Writes the pages into a folder as static files with relative links. Their figures run on our
/// solutions, which emscripten compiles; still: they are pictures, and need no emscripten. Returns
/// the exit status. Throws BadUse if emscripten is missing, or if there is something in the folder
/// that no export has put there.
int export_pages(const course::Project& project, const std::string& folder, bool still);

} // namespace book
