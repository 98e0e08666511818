#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// The programs that one verdict comes from, and the seed of the grader's random inputs.
struct Programs {
    std::string grader;
    std::string submission;
    std::string misconceptions;
    std::uint64_t seed = 0;
    std::string variant = {}; // of the submission; "" where there is but one

    std::vector<std::string> all() const { return {grader, submission, misconceptions}; }
};

/// solution: of our solution in place of the learner's file.
Programs programs_for(const Project& project, const Exercise& exercise, bool solution,
                      std::uint64_t seed = 0);

judge::Verdict with_summary(const Exercise& exercise, judge::State state,
                            const std::string& summary);

constexpr std::chrono::seconds grader_time{120}; // every call has its own limit

/// Runs a grader that is built. One that ends without a verdict, or takes longer than time, is at
/// fault. Throws std::system_error if it cannot be started.
judge::Verdict run_grader(const Project& project, const Exercise& exercise,
                          const Programs& programs, std::chrono::seconds time = grader_time);

/// The same; a fault of the machine may be gone the next moment, and is tried once more.
judge::Verdict run_grader_patiently(const Project& project, const Exercise& exercise,
                                    const Programs& programs);

} // namespace course
