#pragma once

#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// One exercise's verdict, and how long it took to get it.
struct Timed {
    judge::Verdict verdict;
    double seconds = 0;
};

/// The verdicts as JUnit XML: a suite for each lesson, a test case for each exercise. What is not
/// started is skipped; a grader at fault is an error; all else that has not passed is a failure,
/// with the whole verdict as its text.
///   exercises, graded   of one length, an exercise's verdict at its place
///   moment              when, as 2026-11-21T09:30:00
std::string junit(const Project& project, const std::vector<Exercise>& exercises,
                  const std::vector<Timed>& graded, const std::string& moment);

} // namespace course
