#pragma once

#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// Watches the file of one exercise after the other on a terminal, checks it at every save, and
/// shows what came of it, until the learner quits. verdicts: of all exercises, as they are now.
/// Returns the exit status.
int watch(const Project& project, const std::vector<judge::Verdict>& verdicts,
          std::size_t exercise);

} // namespace course
