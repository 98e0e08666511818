#pragma once

#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

// Verdicts that are kept, to save the time of computing them again. They can be edited by hand, so
// they serve the screen, and never a grade that somebody is given.

/// What a verdict depends on: the very programs it comes from, in the build folder, and the tensors
/// that graders read, each with its size and time.
std::string fingerprint(const Project& project, const std::vector<std::string>& programs);

/// The verdict kept for an exercise. key: which it must be; "" takes any. Nothing if there is none,
/// or one that cannot be understood.
std::optional<judge::Verdict> kept_verdict(const Project& project, const Exercise& exercise,
                                           const std::string& key);

/// Keeps a verdict, but for one that says nothing of the exercise.
void keep_verdict(const Project& project, const Exercise& exercise, const std::string& key,
                  const judge::Verdict& verdict);

} // namespace course
