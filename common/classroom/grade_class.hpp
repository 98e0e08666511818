#pragma once

// All hand-ins of a class, graded on all cores.

#include <cstdint>

#include "classroom/result.hpp"

namespace classroom {

/// The hand-ins to grade, and the folder for the results.
struct Class {
    course::Project project;
    std::filesystem::path out = {};
    Points worth = {};
    std::vector<Result> results = {}; // one per hand-in
    std::uint64_t seed = 0;
    unsigned jobs = 1;   // exercises at a time
    bool resume = false; // keep the verdicts that are still valid
};

/// Builds and tests the graders, and grades every exercise, equal texts once. A finished hand-in is
/// printed and kept at once, in json/ of the folder out. Ends soon after an interruption. Throws
/// MachineFault if the graders are not right.
void grade(Class& graded);

} // namespace classroom
