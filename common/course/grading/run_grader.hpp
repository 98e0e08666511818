#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// The programs that a verdict comes from, and the seed of the grader's random inputs.
struct Programs {
    std::string grader;
    std::string submission;
    std::string mistakes;
    std::uint64_t seed = 0;
    std::string variant = {}; // of the submission; "" if there is only one

    std::vector<std::string> all() const { return {grader, submission, mistakes}; }
};

/// solution: for our solution instead of the learner's file.
Programs programs_for(const Project& project, const Exercise& exercise, bool solution,
                      std::uint64_t seed = 0);

judge::Verdict with_summary(const Exercise& exercise, judge::State state,
                            const std::string& summary);

constexpr std::chrono::seconds grader_time{120}; // every call has its own limit

/// Runs a grader. It is at fault if it ends without a verdict, or takes longer than time. Throws
/// std::system_error if it cannot be started.
judge::Verdict run_grader(const Project& project, const Exercise& exercise,
                          const Programs& programs, std::chrono::seconds time = grader_time);

/// The same, but tries a fault of the machine once more, since it may be temporary.
judge::Verdict run_grader_patiently(const Project& project, const Exercise& exercise,
                                    const Programs& programs);

} // namespace course
