#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "course/grading/build.hpp"
#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

struct GradeOptions {
    bool solution = false;       // grade ours instead of the learner's
    bool fresh = false;          // use no kept verdict
    std::uint64_t seed = 0;      // not 0: draw other random inputs, and keep no verdict
    BuildProgress progress = {}; // called during builds
    /// Called with each verdict as soon as it is known, in order.
    std::function<void(const Exercise&, const judge::Verdict&)> on_verdict = {};
};

/// Grades exercises independently: a mistake in one never hides the verdict on another. A verdict
/// whose exercise, grader and reference have not changed is not computed again. A fault of the
/// machine is tried once more, and then reported as grader_at_fault.
std::vector<judge::Verdict> grade(const Project& project, const std::vector<Exercise>& exercises,
                                  const GradeOptions& options = {});

/// What is known about an exercise without a build: that it is not started, or the last verdict,
/// which may be out of date; nothing if it was never graded.
std::optional<judge::Verdict> last_verdict(const Project& project, const Exercise& exercise);

/// Builds all that grading the exercises needs except the learner's files; or our solutions alone.
/// Throws MachineFault if that fails.
void prepare(const Project& project, const std::vector<Exercise>& exercises, bool solution,
             const BuildProgress& progress);

/// A line that says why an exercise's file cannot be compiled at all (it is missing, empty, too
/// large or not a file), and what to do; "" if it can.
std::string trouble_with_file(const Project& project, const Exercise& exercise);

/// An exercise that was compiled elsewhere: the program, or the compiler's errors.
struct Compiled {
    std::filesystem::path submission; // absolute
    bool ok = false;
    std::string log; // errors, or warnings
};

/// The verdict on it, which is not kept. The grader and the mistakes must be built. compile: called
/// unless the exercise is not started.
judge::Verdict grade_compiled(const Project& project, const Exercise& exercise,
                              const std::function<Compiled()>& compile, std::uint64_t seed);

/// Whether the learner's file is the stub, untouched.
bool is_untouched(const Exercise& exercise);

} // namespace course
