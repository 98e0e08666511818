#include "course/build/build.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <random>
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

// What NINJA_STATUS makes each step begin with: a number drawn for each build, so that no text that
// an exercise has its compiler print can be taken for ninja's.
std::string drawn_step() {
    std::random_device draw;
    return fmt::format("@step {:08x}{:08x}{:08x}{:08x} ", draw(), draw(), draw(), draw());
}

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

BuildResult read_build_log(const std::string& log, const std::string& step) {
    BuildResult result;
    std::istringstream lines(log);
    std::string of_no_file;
    std::string* messages = &of_no_file; // where the next line belongs
    bool begun = false;                  // the first step is done
    bool after_step = false;             // this line follows a step's: where ninja says FAILED
    for (std::string line; std::getline(lines, line);) {
        const bool failed = after_step && line.starts_with("FAILED: ");
        // Between steps it is a compiler that speaks; ninja does before them, and as it ends.
        const bool of_ninja = !begun || lines.peek() == std::istringstream::traits_type::eof();
        after_step = false;
        if (failed) {
            messages = &result.failures[line.substr(8, line.find(' ', 8) - 8)];
            std::getline(lines, line); // the command, which tells a learner nothing
        } else if (const std::size_t at = line.find(step); at != std::string::npos) {
            // Behind the last words of a compiler that did not end its line.
            *messages += at > 0 ? line.substr(0, at) + "\n" : "";
            messages = &result.warnings[line.substr(line.rfind(' ') + 1)];
            begun = after_step = true;
        } else if (of_ninja && line.starts_with("ninja: error:")) {
            result.failures[""] += line.substr(14) + "\n";
        } else if (of_ninja && line.starts_with("ninja: ")) {
            messages = &of_no_file;
        } else {
            *messages += line + "\n";
        }
    }
    result.ok = result.failures.empty();
    return result;
}

std::string last_lines(const std::string& log, const std::string& step) {
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
    const std::string step = drawn_step();
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
    const process::Finished finished = process::run(
        command, {.environment = {{"NINJA_STATUS", step + "%f/%t "}, {"LC_ALL", "C.UTF-8"}},
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
    BuildResult result = read_build_log(finished.output, step);
    remember_warnings(project, result.warnings);
    if (finished.status == 0) {
        result.failures.clear(); // a compiler's last words may look like ninja's
    } else if (result.ok) {
        result.failures[""] = last_lines(finished.output, step);
    }
    result.ok = finished.status == 0;
    return result;
}

} // namespace course
