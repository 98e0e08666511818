#include "course/build/build.hpp"

#include <cerrno>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "course/build/sources.hpp"
#include "process/run.hpp"

namespace course {

namespace {

// What NINJA_STATUS makes each step begin with; nothing a compiler prints does.
constexpr const char* step = "@step ";

/// Held while building: two ninjas in one folder would spoil its records. What the build starts
/// inherits it, so that nobody else builds before the last compiler is gone, even if we are killed.
class BuildLock {
public:
    explicit BuildLock(const Project& project) {
        const auto path = project.build / "course.lock";
        descriptor_ = open(path.c_str(), O_CREAT | O_RDWR, 0644);
        if (descriptor_ < 0 || flock(descriptor_, LOCK_EX) != 0) {
            throw BadUse(fmt::format("cannot write in {}: {}", short_path(project, project.build),
                                     std::generic_category().message(errno)));
        }
    }
    ~BuildLock() { close(descriptor_); }
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;

private:
    int descriptor_;
};

} // namespace

BuildResult read_build_log(const std::string& log) {
    BuildResult result;
    std::istringstream lines(log);
    std::string* messages = &result.warnings; // where the next line belongs
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("FAILED: ")) {
            messages = &result.failures[line.substr(8, line.find(' ', 8) - 8)];
            std::getline(lines, line); // the command, which tells a learner nothing
        } else if (line.starts_with("ninja: error:")) {
            result.failures[""] += line.substr(14) + "\n";
        } else if (line.starts_with(step) || line.starts_with("ninja: ")) {
            messages = &result.warnings;
        } else {
            *messages += line + "\n";
        }
    }
    result.ok = result.failures.empty();
    return result;
}

BuildResult build(const Project& project, const std::vector<std::string>& targets,
                  const BuildProgress& progress) {
    const BuildLock lock(project);
    const auto sources = forget_stale_objects(project);
    std::vector<std::string> command{COURSE_NINJA, "-C", project.build, "-k", "0"};
    command.insert(command.end(), targets.begin(), targets.end());
    const auto on_line = [&](const std::string& line) {
        int done = 0;
        int total = 0;
        if (progress && std::sscanf(line.c_str(), "@step %d/%d", &done, &total) == 2) {
            progress(done, total);
        }
    };
    const process::Finished finished = process::run(
        command,
        {.environment = {{"NINJA_STATUS", std::string(step) + "%f/%t "}, {"LC_ALL", "C.UTF-8"}},
         .on_line = on_line});
    if (finished.output.find("No space left on device") != std::string::npos) {
        throw BadUse("the disk is full: free some space, then run this again; nothing of yours is "
                     "lost");
    }
    if (finished.output.find("Read-only file system") != std::string::npos) {
        throw BadUse(fmt::format("cannot write in {}: Read-only file system",
                                 short_path(project, project.build)));
    }
    remember_sources(project, sources);
    BuildResult result = read_build_log(finished.output);
    if (finished.status != 0 && result.ok) {
        result.ok = false;
        result.failures[""] = finished.output;
    }
    return result;
}

} // namespace course
