#include "course/grading/build.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "course/explain/said.hpp"
#include "course/grading/sources.hpp"
#include "process/interruption.hpp"
#include "process/pipe.hpp"
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

bool files_are_limited() {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Whether a folder takes no megabyte more: a quota is seen by nothing else.
bool takes_no_more(const std::filesystem::path& folder) {
    std::string name = folder / "room-XXXXXX";
    const process::Descriptor file(mkstemp(name.data()));
    if (!file.open()) {
        return errno == ENOSPC || errno == EDQUOT;
    }
    unlink(name.c_str());
    const std::string block(std::size_t{1} << 16, '\0');
    for (int i = 0; i < 16; ++i) {
        if (write(file.number(), block.data(), block.size()) < 0) {
            return true;
        }
    }
    return false;
}

enum class Evidence { words, no_room, limited_files };

struct Sign {
    const char* words;
    const char* meaning;
    Evidence evidence; // what has to be true besides
};

// Nobody who is killed says so much: what else was said at the end is not known.
constexpr const char* was_cut = "first_mebibyte: there was more";

constexpr const char* was_killed =
    "the compiler was killed; most likely the machine had not enough memory";
constexpr const char* no_room_left = "there was no space left on the disk";
constexpr const char* limit_of_files =
    "this shell or this machine limits how large a file may be; ulimit -f shows it";

constexpr std::array<Sign, 11> signs{{
    {"Killed signal terminated program", was_killed, Evidence::words},
    {"unable to execute command: Killed", was_killed, Evidence::words},
    {"ld terminated with signal 9",
     "the linker was killed; most likely the machine had not enough memory", Evidence::words},
    {"Resource temporarily unavailable", "no process could be started", Evidence::words},
    {"Too many open files", "too many files were open", Evidence::words},
    {"Input/output error", "the disk could not be read or written", Evidence::words},
    {"prlimit: failed to set",
     "this shell or this machine has a limit below what a compiler needs; ulimit -a shows them",
     Evidence::words},
    {"No space left on device", no_room_left, Evidence::no_room},
    {"Disk quota exceeded", "the disk quota is used up", Evidence::no_room},
    {"ld terminated with signal 25", limit_of_files, Evidence::limited_files},
    {"final link failed: File too large", limit_of_files, Evidence::limited_files},
}};

/// Whether a line begins with the name of a program, of these letters, that speaks of itself.
bool names_its_speaker(const std::string& line, const std::string& letters) {
    const std::size_t end = line.find_first_not_of(letters);
    return end != 0 && end != std::string::npos && line.compare(end, 2, ": ") == 0;
}

constexpr const char* letters_of_names = "abcdefghijklmnopqrstuvwxyz0123456789+-._";
constexpr const char* letters_of_paths =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-._/";

/// The sign of a program that speaks of itself, its name first; nullptr for any other line.
const Sign* sign_of_a_program(const std::string& line) {
    if (!names_its_speaker(line, letters_of_names)) {
        return nullptr;
    }
    const auto* const sign = std::find_if(signs.begin(), signs.end(), [&](const Sign& each) {
        const std::size_t at = line.find(each.words);
        return at != std::string::npos && line.find("rror: ", at) == std::string::npos;
    });
    return sign != signs.end() && sign->evidence == Evidence::words ? sign : nullptr;
}

/// Whether a line shows that a compiler, assembler or linker came to an end, and found the code
/// wrong.
bool judges_code(const std::string& line) {
    const bool error = line.find("rror: ") != std::string::npos &&
                       line.find("failed due to signal") == std::string::npos;
    return (error && sign_of_a_program(line) == nullptr) ||
           line.find("Assembler messages:") != std::string::npos ||
           line.find("ld returned ") != std::string::npos ||
           line.find("failed with exit code") != std::string::npos;
}

/// A line without what it quotes, from the first quote to the last: names and words of the
/// exercise.
std::string without_quotes(std::string line) {
    const std::string open = "‘";
    const std::string close = "’";
    const std::size_t begin = std::min(line.find_first_of("'`\""), line.find(open));
    const std::size_t plain_end = line.find_last_of("'\"");
    const std::size_t curly_end = line.rfind(close);
    const std::size_t end = curly_end != std::string::npos   ? curly_end + close.size()
                            : plain_end != std::string::npos ? plain_end + 1
                                                             : 0;
    return begin < end ? line.erase(begin, end - begin) : line;
}

enum class Limit { none, time, memory, file };

struct LimitSign {
    const char* words;
    Limit limit;
};

// What a program says behind its name,
constexpr std::array<LimitSign, 6> limit_signs{{
    {"timeout: sending signal", Limit::time},
    {"out of memory", Limit::memory},
    {"memory exhausted", Limit::memory},
    {"Cannot allocate memory", Limit::memory},
    {"std::bad_alloc", Limit::memory},
    {"File size limit exceeded", Limit::file},
}};
// and what begins a line: of a compiler, its library or a shell, which do not name themselves.
constexpr std::array<LimitSign, 4> limit_lines{{
    {"virtual memory exhausted: ", Limit::memory},
    {"LLVM ERROR: out of memory", Limit::memory},
    {"terminate called after throwing an instance of 'std::bad_alloc'", Limit::memory},
    {"File size limit exceeded", Limit::file},
}};

/// The limit at which a program was ended, as a line says; none where it is no program's own line.
Limit limit_said_in(const std::string& line) {
    for (const LimitSign& sign : limit_lines) {
        if (line.starts_with(sign.words)) {
            return sign.limit;
        }
    }
    const std::string said =
        names_its_speaker(line, letters_of_paths) ? without_quotes(line) : std::string();
    for (const LimitSign& sign : limit_signs) {
        if (said.find(sign.words) != std::string::npos) {
            return sign.limit;
        }
    }
    return Limit::none;
}

} // namespace

BuildLock::BuildLock(const Project& project) {
    if (held++ > 0) {
        return;
    }
    const auto path = project.build / "course.lock";
    lock_descriptor = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
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

Machine ask_machine(const Project& project) {
    std::error_code error;
    const auto temporary = std::filesystem::temp_directory_path(error);
    Machine machine;
    machine.limits_files = files_are_limited();
    machine.has_no_room =
        disk_is_full(project.build) || disk_is_full(temporary) ||
        (!machine.limits_files && (takes_no_more(project.build) || takes_no_more(temporary)));
    return machine;
}

std::string machine_fault_in(const std::string& log, const Machine& machine) {
    // An exercise can have anything printed, on lines of its own, too: by static_assert, #line, an
    // assembler's .print. But then the compiler goes on to say what is wrong, as it cannot where it
    // was killed.
    const Sign* said = nullptr;
    bool judged = false;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        judged = judged || judges_code(line) || line == was_cut;
        said = said == nullptr ? sign_of_a_program(line) : said;
    }
    if (said != nullptr && !judged) {
        return said->meaning;
    }
    for (const Sign& sign : signs) {
        const bool is_so = (sign.evidence == Evidence::no_room && machine.has_no_room) ||
                           (sign.evidence == Evidence::limited_files && machine.limits_files);
        if (is_so && log.find(sign.words) != std::string::npos) {
            return sign.meaning;
        }
    }
    return "";
}

std::string limit_in(const std::string& log) {
    Limit limit = Limit::none;
    std::istringstream lines(log);
    for (std::string line; limit == Limit::none && std::getline(lines, line);) {
        limit = limit_said_in(line);
    }
    switch (limit) {
    case Limit::time:
        return fmt::format(
            "Compiling it took too long, and was stopped after {} s. Perhaps an included file has "
            "no end, or a template or constexpr function takes very long.",
            COURSE_COMPILE_SECONDS);
    case Limit::memory:
        return fmt::format("Compiling it needed too much memory: more than {} MiB.",
                           COURSE_COMPILE_MEMORY_MIB);
    case Limit::file:
        return fmt::format("The compiled file is too large: more than {} MiB.",
                           COURSE_COMPILE_FILE_MIB);
    case Limit::none:
        break;
    }
    return "";
}

BuildResult read_build_log(const std::string& log, const std::string& step) {
    std::map<std::string, Said> failures;
    std::map<std::string, Said> warnings;
    Said of_no_file;
    Said* messages = &of_no_file; // where the next line belongs
    bool begun = false;           // the first step is done
    bool after_step = false;      // this line follows a step's: where ninja says FAILED
    for (std::string_view rest = log; !rest.empty();) {
        const std::string_view line = take_line(rest);
        const bool failed = after_step && line.starts_with("FAILED: ");
        // Between steps it is a compiler that speaks; ninja does before them, and as it ends.
        const bool of_ninja = !begun || rest.empty();
        after_step = false;
        if (failed) {
            messages = &failures[std::string(line.substr(8, line.find(' ', 8) - 8))];
            take_line(rest); // the command, which tells a learner nothing
        } else if (const std::size_t at = line.find(step); at != std::string_view::npos) {
            if (at > 0) { // behind the last words of a compiler that did not end its line
                messages->add(line.substr(0, at));
            }
            messages = &warnings[std::string(line.substr(line.rfind(' ') + 1))];
            begun = after_step = true;
        } else if (of_ninja && line.starts_with("ninja: error:")) {
            failures[""].add(line.substr(std::min<std::size_t>(14, line.size())));
        } else if (of_ninja && line.starts_with("ninja: ")) {
            messages = &of_no_file;
        } else {
            messages->add(line);
        }
    }
    BuildResult result;
    for (const auto& [file, said] : failures) {
        result.failures[file] = said.text();
    }
    for (const auto& [file, said] : warnings) {
        result.warnings[file] = said.text();
    }
    result.ok = result.failures.empty();
    return result;
}

std::string last_lines(const std::string& log, const std::string& step) {
    constexpr std::size_t enough = 2000; // characters
    Said all;
    for (std::string_view rest = log; !rest.empty();) {
        if (const std::string_view line = take_line(rest); !line.starts_with(step)) {
            all.add(line);
        }
    }
    const std::string said = all.text();
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
    // ninja ends the shells that it has started, but not the compilers below them.
    process::Interruption interruption;
    const process::Finished finished =
        process::run(command, {.environment = {{"NINJA_STATUS", step + "%f/%t "}},
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
