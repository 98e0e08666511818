#include "course/grading/build_log.hpp"
#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace course {

namespace {

enum class Cause { machine, time, memory, file };

/// Words that say that a program was stopped.
struct Sign {
    const char* words = "";
    Cause cause = Cause::machine;
    const char* meaning = "";
};

constexpr const char* was_killed =
    "the compiler was killed; most likely the machine ran out of memory";

constexpr std::array<Sign, 16> signs{{
    {"Killed signal terminated program", Cause::machine, was_killed},
    {"unable to execute command: Killed", Cause::machine, was_killed},
    {"ld terminated with signal 9", Cause::machine,
     "the linker was killed; most likely the machine ran out of memory"},
    {"Resource temporarily unavailable", Cause::machine, "no process could be started"},
    {"Too many open files", Cause::machine, "too many files were open"},
    {"Input/output error", Cause::machine, "the disk could not be read or written"},
    {"prlimit: failed to set", Cause::machine,
     "this shell or this machine has a limit below what a compiler needs; ulimit -a shows them"},
    {"No space left on device", Cause::machine, "there was no space left on the disk"},
    {"Disk quota exceeded", Cause::machine, "the disk quota is used up"},
    {"timeout: sending signal", Cause::time},
    {"CPU time limit exceeded", Cause::time},
    {"out of memory", Cause::memory},
    {"memory exhausted", Cause::memory},
    {"Cannot allocate memory", Cause::memory},
    {"std::bad_alloc", Cause::memory},
    {"File size limit exceeded", Cause::file},
}};

/// Whether a compiler reports about itself: its name comes first, or it is one of these messages.
bool names_its_speaker(const std::string& line) {
    constexpr const char* letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-._/";
    const std::size_t end = line.find_first_not_of(letters);
    return (end != 0 && end != std::string::npos && line.compare(end, 2, ": ") == 0) ||
           line.starts_with("virtual memory exhausted: ") || line.starts_with("LLVM ERROR: ") ||
           line.starts_with("terminate called after throwing") ||
           line.starts_with("File size limit exceeded") ||
           line.find("rror: error writing to ") != std::string::npos ||
           line.find("rror: can't write ") != std::string::npos;
}

/// The sign in a line; nullptr if the line is about the exercise.
const Sign* sign_in(const std::string& line) {
    const bool quotes_code = line.find(": in function ") != std::string::npos ||
                             line.find(": In function ") != std::string::npos;
    if (quotes_code || !names_its_speaker(line)) {
        return nullptr;
    }
    const auto* const sign = std::ranges::find_if(
        signs, [&](const Sign& each) { return line.find(each.words) != std::string::npos; });
    return sign == signs.end() ? nullptr : sign;
}

/// Takes the first line from a text, and returns it without its newline.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

} // namespace

std::string machine_fault_in(const std::string& log) {
    for (const std::string& line : show::lines_of(log)) {
        if (const Sign* const sign = sign_in(line)) {
            return sign->cause == Cause::machine ? sign->meaning : "";
        }
    }
    return "";
}

std::string limit_in(const std::string& log) {
    for (const std::string& line : show::lines_of(log)) {
        const Sign* const sign = sign_in(line);
        switch (sign == nullptr ? Cause::machine : sign->cause) {
        case Cause::time:
            return fmt::format("Compiling it took too long, and was stopped after {} s of "
                               "processor time. Perhaps an included file has no end, or a "
                               "template or constexpr function takes very long.",
                               COURSE_COMPILE_SECONDS);
        case Cause::memory:
            return fmt::format("Compiling it needed too much memory: more than {} MiB.",
                               COURSE_COMPILE_MEMORY_MIB);
        case Cause::file:
            return fmt::format("The compiled file is too large: more than {} MiB.",
                               COURSE_COMPILE_FILE_MIB);
        case Cause::machine:
            break;
        }
    }
    return "";
}

BuildResult read_build_log(const std::string& log) {
    const std::string step = step_mark;
    BuildResult result;
    std::string of_no_file;
    std::string* messages = &of_no_file; // where the next line belongs
    bool begun = false;                  // the first step is done
    bool after_step = false;             // this line follows a step's: where ninja says FAILED
    const auto add = [&](std::string& text, std::string_view line) {
        text.append(line).append("\n");
    };
    for (std::string_view rest = log; !rest.empty();) {
        const std::string_view line = take_line(rest);
        const bool failed = after_step && line.starts_with("FAILED: ");
        // Lines between steps are a compiler's; ninja's own come before the first and at the end.
        const bool of_ninja = !begun || rest.empty();
        after_step = false;
        if (failed) {
            messages = &result.failures[std::string(line.substr(8, line.find(' ', 8) - 8))];
            take_line(rest); // the command, which does not help a learner
        } else if (const std::size_t at = line.find(step); at != std::string_view::npos) {
            if (at > 0) { // after a compiler's last line, which had no end
                add(*messages, line.substr(0, at));
            }
            messages = &result.warnings[std::string(line.substr(line.rfind(' ') + 1))];
            begun = after_step = true;
        } else if (of_ninja && line.starts_with("ninja: error:")) {
            add(result.failures[""], line.substr(std::min<std::size_t>(14, line.size())));
        } else if (of_ninja && line.starts_with("ninja: ")) {
            messages = &of_no_file;
        } else {
            add(*messages, line);
        }
    }
    result.ok = result.failures.empty();
    return result;
}

} // namespace course
