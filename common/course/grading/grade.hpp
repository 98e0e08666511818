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
    bool solution = false;       // grade ours in place of the learner's
    bool fresh = false;          // compute every verdict, whatever is kept
    std::uint64_t seed = 0;      // draws what graders draw at random anew; then nothing is kept
    BuildProgress progress = {}; // called while something is built
    /// Called with each verdict as soon as it is known, in order.
    std::function<void(const Exercise&, const judge::Verdict&)> on_verdict = {};
};

/// Grades exercises, each by itself: what is wrong with one never hides the verdict on another. A
/// verdict whose exercise, grader and reference have not changed is not computed again. A fault of
/// the machine is tried once more, and then says grader_at_fault.
std::vector<judge::Verdict> grade(const Project& project, const std::vector<Exercise>& exercises,
                                  const GradeOptions& options = {});

/// What is known of an exercise without building anything: that it is not started, or the last
/// verdict, which may be out of date; nothing if it was never graded.
std::optional<judge::Verdict> last_verdict(const Project& project, const Exercise& exercise);

/// Builds all that grading the exercises takes but the learner's own files. solution: and our own,
/// first of all.
void prepare(const Project& project, const std::vector<Exercise>& exercises, bool solution,
             const BuildProgress& progress);

/// A line that says what is wrong with an exercise's file before it can be compiled (it is missing,
/// empty, too large, not a file), and what to do; "" if nothing is.
std::string trouble_with_file(const Project& project, const Exercise& exercise);

/// An exercise that was compiled elsewhere: the program, or what the compiler said of an error.
struct Compiled {
    std::filesystem::path submission; // absolute
    bool ok = false;
    std::string log; // errors, or warnings
};

/// The verdict on it, of which nothing is kept. The grader and the misconceptions are built.
judge::Verdict grade_compiled(const Project& project, const Exercise& exercise,
                              const Compiled& compiled, std::uint64_t seed);

/// Whether the learner's file is the stub, untouched.
bool is_untouched(const Exercise& exercise);

} // namespace course
