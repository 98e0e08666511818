#pragma once

#include <chrono>
#include <string>

#include "course/grading/run_grader.hpp"

namespace course {

/// Adds to a learner's verdict what can be said beyond it: what C++ or xtensor do that no
/// misconception explains, or a todo() that was left.
///   source     the text that was graded
///   warnings   what the compiler said of it
///   time       for all that is tried out to find a cause
void explain(judge::Verdict& verdict, const Project& project, const Exercise& exercise,
             const Programs& programs, const std::string& source, const std::string& warnings,
             std::chrono::seconds time = std::chrono::seconds(20));

} // namespace course
