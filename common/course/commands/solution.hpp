#pragma once

#include <filesystem>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// Our solution of an exercise for reading: without the marks that stubs are cut by. As a diff,
/// what is in the learner's file and what in ours, with colours where the terminal has them.
std::string solution_text(const Project& project, const Exercise& exercise, bool as_diff);

/// Puts the stub back. What was there is kept in a dated copy whose path is returned, or "" if it
/// was the stub already or nothing. There is no moment without the learner's text on disk.
/// Throws BadUse or std::runtime_error if a file cannot be read or written; nothing is lost then.
std::filesystem::path reset_exercise(const Project& project, const Exercise& exercise);

} // namespace course
