#include "course/build/build.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include "course/build/sources.hpp"
#include "process/run.hpp"

namespace course {

namespace {

// What NINJA_STATUS makes each step begin with; nothing a compiler prints does.
constexpr const char* step = "@step ";

// This process's lock: how often it is asked for, and where it is held.
int held = 0;
int lock_descriptor = -1;

/// The process that holds the lock, as it wrote there.
std::string holder(int descriptor) {
    std::array<char, 64> text{};
    const ssize_t got = pread(descriptor, text.data(), text.size() - 1, 0);
    return got > 0 ? fmt::format("process {}", text.data()) : "another program";
}

void note_holder(int descriptor) {
    const std::string id = std::to_string(getpid());
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, id.data(), id.size(), 0) < 0) {
        return; // whoever waits is told less
    }
}

constexpr std::uintmax_t little_room = std::uintmax_t{64} << 20; // bytes

bool disk_is_full(const std::filesystem::path& folder) {
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    return !error && space.available < little_room;
}

} // namespace

BuildLock::BuildLock(const Project& project) {
    if (held++ > 0) {
        return;
    }
    const auto path = project.build / "course.lock";
    lock_descriptor = open(path.c_str(), O_CREAT | O_RDWR, 0644);
    bool locked = lock_descriptor >= 0 && flock(lock_descriptor, LOCK_EX | LOCK_NB) == 0;
    for (int turn = 0; !locked && lock_descriptor >= 0 && errno == EWOULDBLOCK; ++turn) {
        if (turn == 20) {
            std::cerr << fmt::format("(waiting for another ./course, {})\n",
                                     holder(lock_descriptor))
                      << std::flush;
        }
        poll(nullptr, 0, 50);
        locked = flock(lock_descriptor, LOCK_EX | LOCK_NB) == 0;
    }
    if (!locked) {
        held = 0;
        throw MachineFault(fmt::format("cannot write in {}: {}", short_path(project, project.build),
                                       std::generic_category().message(errno)));
    }
    note_holder(lock_descriptor);
}

BuildLock::~BuildLock() {
    if (--held == 0) {
        close(lock_descriptor);
    }
}

std::string machine_fault_in(const std::string& log, const std::string& file) {
    static constexpr const char* limit_of_files =
        "this shell or this machine limits how large a file may be; ulimit -f shows it";
    // Each with what it means. A compiler says them of itself, at the beginning of a line; what the
    // exercise has it say stands behind the file's name.
    static constexpr std::array<std::pair<const char*, const char*>, 11> signs{{
        {"signal terminated program",
         "the compiler was killed; most likely the machine had not enough memory"},
        {"unable to execute command",
         "the compiler was killed; most likely the machine had not enough memory"},
        {"No space left on device", "there was no space left on the disk"},
        {"Resource temporarily unavailable", "no process could be started"},
        {"Too many open files", "too many files were open"},
        {"Input/output error", "the disk could not be read or written"},
        {"prlimit: failed to set", "this shell or this machine has a limit below what a compiler "
                                   "needs; ulimit -a shows them"},
        {"ld terminated with signal 25", limit_of_files},
        {"final link failed: File too large", limit_of_files},
        {"Disk quota exceeded", "the disk quota is used up"},
        {"ld terminated with signal 9",
         "the linker was killed; most likely the machine had not enough memory"},
    }};
    // Where g++ cannot write its temporary files, it says so of the line it is at. An exercise has
    // it say the like by #pragma GCC error alone, which is shown below.
    const bool nothing_made_up = log.find("ragma") == std::string::npos;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        const bool cannot_write =
            nothing_made_up && line.find(" error: error writing to /") != std::string::npos;
        if (!cannot_write &&
            (line.starts_with(" ") || line.find(file + ":") != std::string::npos)) {
            continue;
        }
        for (const auto& [sign, meaning] : signs) {
            if (line.find(sign) != std::string::npos) {
                return meaning;
            }
        }
    }
    return "";
}

std::string limit_in(const std::string& log) {
    if (log.find("timeout: sending signal") != std::string::npos) {
        return fmt::format(
            "Compiling it took too long, and was stopped after {} s. Perhaps an included file has "
            "no end, or a template or constexpr function takes very long.",
            COURSE_COMPILE_SECONDS);
    }
    for (const char* sign :
         {"out of memory allocating", "virtual memory exhausted", "Cannot allocate memory",
          "LLVM ERROR: out of memory", "std::bad_alloc"}) {
        if (log.find(sign) != std::string::npos) {
            return fmt::format("Compiling it needed too much memory: more than {} MiB.",
                               COURSE_COMPILE_MEMORY_MIB);
        }
    }
    // The linker has no limit of ours.
    if (log.find("File size limit exceeded") != std::string::npos &&
        log.find("ld terminated") == std::string::npos) {
        return fmt::format("The compiled file is too large: more than {} MiB.",
                           COURSE_COMPILE_FILE_MIB);
    }
    return "";
}

BuildResult read_build_log(const std::string& log) {
    BuildResult result;
    std::istringstream lines(log);
    std::string of_no_file;
    std::string* messages = &of_no_file; // where the next line belongs
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("FAILED: ")) {
            messages = &result.failures[line.substr(8, line.find(' ', 8) - 8)];
            std::getline(lines, line); // the command, which tells a learner nothing
        } else if (line.starts_with("ninja: error:")) {
            result.failures[""] += line.substr(14) + "\n";
        } else if (line.starts_with(step)) {
            messages = &result.warnings[line.substr(line.rfind(' ') + 1)];
        } else if (line.starts_with("ninja: ")) {
            messages = &of_no_file;
        } else {
            *messages += line + "\n";
        }
    }
    result.ok = result.failures.empty();
    return result;
}

std::string last_lines(const std::string& log) {
    constexpr std::size_t enough = 2000; // characters
    std::string said;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        said += line.starts_with(step) ? "" : line + "\n";
    }
    const std::size_t before =
        said.size() <= enough ? std::string::npos : said.find('\n', said.size() - enough - 1);
    return said.substr(before + 1);
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
    if (finished.status != 0 && disk_is_full(project.build)) {
        throw MachineFault("the disk is full: free some space, then run this again; nothing of "
                           "yours is lost");
    }
    if (finished.status != 0 && access(project.build.c_str(), W_OK) != 0) {
        throw MachineFault(fmt::format("cannot write in {}: {}", short_path(project, project.build),
                                       std::generic_category().message(errno)));
    }
    remember_sources(project, sources);
    BuildResult result = read_build_log(finished.output);
    remember_warnings(project, result.warnings);
    if (finished.status != 0 && result.ok) {
        result.ok = false;
        result.failures[""] = last_lines(finished.output);
    }
    return result;
}

} // namespace course
