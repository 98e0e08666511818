#pragma once

#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// An exercise's verdict, and how long grading took.
struct Timed {
    judge::Verdict verdict;
    double seconds = 0;
};

/// The verdicts as JUnit XML: a suite per lesson, a test case per exercise. An exercise that is not
/// started is skipped; a grader at fault is an error; all else that has not passed is a failure,
/// with the whole verdict as its text.
///   exercises, graded   of the same length and order
///   moment              such as 2026-11-21T09:30:00
std::string junit(const Project& project, const std::vector<Exercise>& exercises,
                  const std::vector<Timed>& graded, const std::string& moment);

} // namespace course
