#pragma once

#include <string>

#include "course/grading/run_grader.hpp"

namespace course {

/// Adds an explanation to a learner's verdict: what C++ or xtensor do that no known mistake
/// explains, or a remaining todo().
///   source     the text that was graded
///   warnings   the compiler's, about it
void explain(judge::Verdict& verdict, const Project& project, const Exercise& exercise,
             const Programs& programs, const std::string& source, const std::string& warnings);

} // namespace course
