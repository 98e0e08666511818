#pragma once

#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

// Verdicts are kept to save time. They can be edited by hand, so they serve the screen, but never a
// real grade.

/// What a verdict depends on: the programs in the build folder that it comes from, and the tensors
/// that graders read, each with its size and time.
std::string fingerprint(const Project& project, const std::vector<std::string>& programs);

/// The "verdicts" in a JSON file whose "key" is this one; "" accepts any. None if the file is
/// missing or damaged.
std::vector<judge::Verdict> verdicts_in(const std::filesystem::path& file, const std::string& key);

/// The verdict kept for an exercise, if it has this key; "" accepts any. Nothing if there is none,
/// or if it is damaged.
std::optional<judge::Verdict> kept_verdict(const Project& project, const Exercise& exercise,
                                           const std::string& key);

/// Keeps a verdict, unless the grader is at fault.
void keep_verdict(const Project& project, const Exercise& exercise, const std::string& key,
                  const judge::Verdict& verdict);

} // namespace course
