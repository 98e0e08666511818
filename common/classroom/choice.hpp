#pragma once

// What of a hand-in is graded, and what is said of the rest.

#include <vector>

#include "classroom/hand_in.hpp"

namespace classroom {

/// Takes the exercises' texts from what was read, and remarks what is not taken.
///   all       the lessons of the course, of which perhaps not all are graded
///   entries   the nearest to the top first
void sort_out(const course::Project& project, const std::vector<course::Lesson>& all,
              std::vector<Entry>& entries, HandIn& hand_in);

} // namespace classroom
