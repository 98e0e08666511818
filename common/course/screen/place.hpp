#pragma once

#include <string>

#include "course/lessons.hpp"

namespace course {

/// Remembers the open exercise for the next start.
void remember_place(const Project& project, const Exercise& exercise);

/// Where to begin, as an index into all exercises: the first that is not passed among those that
/// the word names ("03", "03.2"); without a word the remembered one, or else the first not passed.
std::size_t place_to_begin(const Project& project, const std::string& word);

} // namespace course
