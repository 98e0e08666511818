#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace course {

struct BuildResult {
    bool ok = true;
    /// What the compiler or linker printed, by the file that could not be made; "" for trouble that
    /// belongs to no file.
    std::map<std::string, std::string> failures;
    /// What it printed about what could be made: warnings.
    std::string warnings;
};

/// Told how far a build is: steps done, of how many.
using BuildProgress = std::function<void(int done, int total)>;

/// Brings targets up to date, as many as can be: one that fails does not stop the others. Waits
/// while another ./course builds. Throws BadUse if the build folder cannot be written or the disk
/// is full.
BuildResult build(const Project& project, const std::vector<std::string>& targets,
                  const BuildProgress& progress = {});

/// What the build tool printed, taken apart. Exposed for its test.
BuildResult read_build_log(const std::string& log);

} // namespace course
