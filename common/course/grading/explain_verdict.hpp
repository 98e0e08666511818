#pragma once

#include <string>

#include "course/grading/run_grader.hpp"

namespace course {

/// Adds to a learner's verdict what can be said beyond it: what C++ or xtensor do that no
/// misconception explains, or a todo() that was left.
///   source     the text that was graded
///   warnings   what the compiler said of it
void explain(judge::Verdict& verdict, const Project& project, const Exercise& exercise,
             const Programs& programs, const std::string& source, const std::string& warnings);

} // namespace course
