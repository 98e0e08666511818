#pragma once

#include <string>

#include "course/lessons.hpp"

namespace book {

/// Writes the pages into a folder as static files with relative links; figures get the answers of
/// our solutions to the calls that their manifests record. Returns the exit status. Throws BadUse
/// if the folder contains files that no export has written.
int export_pages(const course::Project& project, const std::string& folder);

/// The same, once our solutions are built. For its test.
int export_recorded(const course::Project& project, const std::string& folder);

} // namespace book
