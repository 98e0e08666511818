#pragma once

#include <filesystem>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// Our solution for reading, without the marks at which stubs are cut; or a diff from the learner's
/// file to it, with colours if the terminal has them.
std::string solution_text(const Project& project, const Exercise& exercise, bool as_diff);

/// The code of it alone. Throws BadUse in an edition for students, which has none.
std::string solution_code(const Project& project, const Exercise& exercise);

/// Puts the stub back. Returns the path of a dated copy of the learner's file, or "" if that was
/// the stub or missing. The learner's text is on disk at every moment. Throws BadUse or
/// std::runtime_error if a file cannot be read or written; nothing is lost then.
std::filesystem::path reset_exercise(const Project& project, const Exercise& exercise);

} // namespace course
