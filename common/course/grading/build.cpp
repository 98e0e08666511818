#include "course/grading/build.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include "course/grading/sources.hpp"
#include "process/interruption.hpp"
#include "process/run.hpp"

namespace course {

namespace {

// This process's lock: how often it has been taken, and its descriptor.
int held = 0;
int lock_descriptor = -1;

bool disk_is_full(const std::filesystem::path& folder) {
    constexpr std::uintmax_t little_room = std::uintmax_t{64} << 20; // bytes
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    return !error && space.available < little_room;
}

[[noreturn]] void refuse_to_write(const Project& project) {
    throw MachineFault(fmt::format("cannot write in {}: {}", short_path(project, project.build),
                                   std::generic_category().message(errno)));
}

} // namespace

BuildLock::BuildLock(const Project& project) {
    if (held > 0) {
        ++held;
        return;
    }
    const auto path = project.build / "course.lock";
    const char* const screen = std::getenv(screen_variable);
    const bool behind = screen != nullptr && std::string_view(screen) == "behind";
    poll(nullptr, 0, behind ? 300 : 0); // whoever interrupts the background goes first
    lock_descriptor = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    const auto locked = [] { return flock(lock_descriptor, LOCK_EX | LOCK_NB) == 0; };
    for (int turn = 0; lock_descriptor < 0 || !locked(); ++turn) {
        if (lock_descriptor < 0 || errno != EWOULDBLOCK) {
            refuse_to_write(project);
        }
        const std::string holder = read_file(path).value_or("");
        if (screen == nullptr && turn % 20 == 0 && holder.starts_with("-")) {
            kill(std::stoi(holder), SIGINT);
        }
        if (turn == 20) {
            std::cerr << "(waiting for another ./course)\n" << std::flush;
        }
        poll(nullptr, 0, 50);
    }
    const std::string holder = std::to_string(behind ? -getpgrp() : getpid());
    if (ftruncate(lock_descriptor, 0) != 0 ||
        write(lock_descriptor, holder.data(), holder.size()) < 0) {
        errno = 0; // on a full disk nobody is interrupted
    }
    held = 1;
}

BuildLock::~BuildLock() {
    if (--held == 0) {
        [[maybe_unused]] const int cleared = ftruncate(lock_descriptor, 0);
        close(lock_descriptor);
    }
}

BuildResult build(const Project& project, const std::vector<std::string>& targets,
                  const BuildProgress& progress) {
    const BuildLock lock(project);
    const auto sources = forget_stale_objects(project);
    const std::string_view step = step_mark;
    std::vector<std::string> command{COURSE_NINJA, "-C", project.build, "-k", "0"};
    command.insert(command.end(), targets.begin(), targets.end());
    const auto on_line = [&](const std::string& line) {
        int done = 0;
        int total = 0;
        if (progress && line.starts_with(step) &&
            std::sscanf(line.c_str() + step.size(), "%d/%d", &done, &total) == 2) {
            progress(done, total);
        }
    };
    // ninja ends the shells that it has started, but not their compilers.
    process::Interruption interruption;
    const process::Finished finished =
        process::run(command, {.environment = {{"NINJA_STATUS", std::string(step) + "%f/%t "}},
                               .on_line = on_line,
                               .stop = process::Interruption::noted});
    if (process::Interruption::noted()) {
        interruption.end();
    }
    if (finished.status != 0 && disk_is_full(project.build)) {
        throw MachineFault("the disk is full: free some space, then run this again; nothing of "
                           "yours is lost");
    }
    if (finished.status != 0 && access(project.build.c_str(), W_OK) != 0) {
        refuse_to_write(project);
    }
    BuildResult result = read_build_log(finished.output);
    remember(project, sources, result.warnings);
    if (finished.status == 0) {
        result.failures.clear(); // a compiler may print what ninja does
    } else if (result.ok) {
        constexpr std::size_t enough = 2000;
        result.failures[""] =
            finished.output.substr(std::max(finished.output.size(), enough) - enough);
    }
    result.ok = finished.status == 0;
    return result;
}

} // namespace course
