#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "course/files.hpp"
#include "course/lessons.hpp"

namespace course {

struct BuildResult {
    bool ok = true;
    /// What the compiler or linker printed, by the file that could not be made; "" for trouble that
    /// belongs to no file.
    std::map<std::string, std::string> failures;
    /// What it printed about each file that it made: warnings, or nothing.
    std::map<std::string, std::string> warnings;
};

/// Told how far a build is: steps done, of how many.
using BuildProgress = std::function<void(int done, int total)>;

/// Held while building or grading: two builds in one folder would spoil its records, and a grader
/// would run what another has just built. Taken once a process, however often it is asked for. No
/// program that is started inherits it: one that did not end would keep it for ever. Throws
/// MachineFault if the build folder cannot be written.
class BuildLock {
public:
    /// Says on standard error whom it waits for, if it has to for long.
    explicit BuildLock(const Project& project);
    ~BuildLock();
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;
};

/// Brings targets up to date, as many as can be: one that fails does not stop the others. Waits
/// while another ./course builds. Throws MachineFault if the build folder cannot be written or the
/// disk is full.
BuildResult build(const Project& project, const std::vector<std::string>& targets,
                  const BuildProgress& progress = {});

/// What the machine says of itself.
struct Machine {
    bool has_no_room = false;  // on the disk, where a build or a compiler writes
    bool limits_files = false; // how large they may be
};

/// Asks it; best right after a build has failed.
Machine ask_machine(const Project& project);

/// What kept the compiler or linker from its work, if that was the machine: it was killed, there
/// was no process, no descriptor, no room. "" if it was the code. What a log says is believed where
/// the machine says so, too, or where nothing in it is a verdict on the code.
std::string machine_fault_in(const std::string& log, const Machine& machine);

/// Why a compiler was ended at one of our limits (cmake/limits.cmake), in a sentence; "" if it was
/// not. Programs that speak of themselves are believed, never what they quote of the exercise.
std::string limit_in(const std::string& log);

/// What the build tool printed, taken apart. step: what each of its steps begins with, which no
/// compiler knows; only the line after a step says that it failed. Exposed for its test.
BuildResult read_build_log(const std::string& log, const std::string& step);

/// What the build tool said at the end, without its steps: why it stopped, where it names no file,
/// as when it is interrupted. Exposed for its test.
std::string last_lines(const std::string& log, const std::string& step);

} // namespace course
