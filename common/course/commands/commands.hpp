#pragma once

// The commands of ./course. Each prints to standard output and returns the exit status: 0 done and
// passed, 1 something failed or is not passed; it throws BadUse, which is 2.

#include <cstdint>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace course {

/// Opens the screen at the remembered exercise, or at the lesson or exercise that the word names.
/// Without a terminal it lists the exercises and the next step.
int start(const Project& project, const std::string& word);

int list(const Project& project);

struct GradeCommand {
    std::vector<std::string> words; // lessons or exercises; none: all
    bool solution = false;
    bool fresh = false;          // use no kept verdict
    std::uint64_t seed = 0;      // of the graders' random inputs
    std::string format = "text"; // or json, or junit
    bool prepare = false;        // build what grading needs, and grade nothing
    bool progress = false;       // report progress on standard error, a line each time
    int not_started_status = 1;  // if all that is not passed is not started
};
int grade_command(const Project& project, const GradeCommand& command);

struct RunCommand {
    std::string word; // a lesson, or all
    bool solution = false;
    bool prepare = false;             // build our side alone, and run nothing
    std::vector<std::string> options; // the walk-through's own
};
/// Runs the walk-throughs of a lesson or of all.
int run_walkthroughs(const Project& project, const RunCommand& command);

/// Builds and runs the program that draws the entropy against d_k, with options of its own.
int plot(const Project& project, const std::vector<std::string>& options);

/// Builds and runs the benchmarks, with options of their own.
int bench(const Project& project, const std::vector<std::string>& options);

/// Builds and runs the server of the pages, with options of its own.
int book(const Project& project, const std::vector<std::string>& options);

/// Builds and runs the program that grades a folder of hand-ins, with options of its own.
int grade_class(const Project& project, const std::vector<std::string>& options);

/// level: 1 to 3, or 0 for the first.
int hint(const Project& project, const std::string& word, std::size_t level);

/// Our solution, as a diff once the learner's passes. Before that it asks, or needs a yes.
int solution(const Project& project, const std::string& word, bool yes);

/// Puts stubs back and keeps copies of the learner's files. Asks first on a terminal, unless yes.
int reset(const Project& project, const std::string& word, bool yes);

int doctor(const Project& project);

} // namespace course
