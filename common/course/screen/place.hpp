#pragma once

#include <optional>
#include <string>

#include "course/lessons.hpp"

namespace course {

/// Remembers which exercise the learner is at, for the next start.
void remember_place(const Project& project, const Exercise& exercise);

/// Where to begin, as an index into all exercises: the first exercise that is not passed of those
/// that the word names ("03", "03.2"); without a word where the learner was, and at first the first
/// exercise not passed of all.
std::size_t place_to_begin(const Project& project, const std::string& word);

} // namespace course
