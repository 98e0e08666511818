#pragma once

// All hand-ins of a class, graded on all cores.

#include <cstdint>

#include "classroom/result.hpp"

namespace classroom {

/// What is to be graded, and where the results are written.
struct Class {
    course::Project project;
    std::filesystem::path out;
    Points worth;
    std::vector<Result> results; // a hand-in each
    std::uint64_t seed = 0;
    unsigned jobs = 1;   // exercises at a time
    bool resume = false; // with the verdicts that are kept and still hold
};

/// A name or a path as it may be printed: in one line, nothing in it that a terminal would obey.
std::string one_line(const std::string& text);

/// Builds the graders, has them prove themselves, and grades every exercise: of equal texts one. A
/// hand-in that is done is printed and kept at once, in json/ of the folder out. When an
/// interruption is noted, it ends soon. Throws MachineFault if the graders are not right.
void grade(Class& graded);

} // namespace classroom
