#pragma once

#include <functional>
#include <string>
#include <vector>

#include "course/files.hpp"
#include "course/grading/build_log.hpp"
#include "course/lessons.hpp"

namespace course {

/// Called while a build goes on: steps done, of how many.
using BuildProgress = std::function<void(int done, int total)>;

/// In the environment of what the screen starts: "behind" if nobody waits for it, otherwise
/// "front".
constexpr const char* screen_variable = "COURSE_SCREEN";

/// Held while building or grading: two builds in one folder would spoil its records, and a grader
/// would run what another process has just built. A process takes it once, however often it asks.
/// No program that is started inherits it: one that did not end would keep it for ever. A command
/// that a person has typed interrupts what the screen does in the background. Throws MachineFault
/// if the build folder cannot be written.
class BuildLock {
public:
    /// Reports on standard error that it waits, if that takes long.
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

} // namespace course
