#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "course/commands/commands.hpp"
#include "process/run.hpp"

namespace course {

namespace {

/// The first line a program prints, or "" if it cannot be run.
std::string first_line(const std::vector<std::string>& command) {
    try {
        const process::Finished finished = process::run(command);
        return finished.status == 0 ? finished.output.substr(0, finished.output.find('\n')) : "";
    } catch (const std::runtime_error&) {
        return "";
    }
}

struct Report {
    int problems = 0;

    void fine(const std::string& what, const std::string& found) { line("fine", what, found); }
    void problem(const std::string& what, const std::string& remedy) {
        line("PROBLEM", what, remedy);
        ++problems;
    }
    void program(const std::string& what, const std::vector<std::string>& command) {
        const std::string found = first_line(command);
        if (found.empty()) {
            problem(what, fmt::format("{} cannot be run: ./course --yes installs it", command[0]));
        } else {
            fine(what, found);
        }
    }

private:
    static void line(const std::string& mark, const std::string& what, const std::string& text) {
        std::cout << fmt::format("{:<8} {:<12} {}\n", mark, what, text);
    }
};

} // namespace

int doctor(const Project& project) {
    Report report;
    report.program("compiler", {COURSE_COMPILER, "--version"});
    report.program("cmake", {"cmake", "--version"});
    report.program("ninja", {COURSE_NINJA, "--version"});
    const std::string gnuplot = first_line({"gnuplot", "--version"});
    report.fine("gnuplot", gnuplot.empty() ? "missing; ./course plot installs it" : gnuplot);
    report.fine("packages", COURSE_PACKAGES);
    // NOLINTNEXTLINE(readability-redundant-string-init): empty only where nothing is missing
    constexpr std::string_view missing = COURSE_BOOK_MISSING;
    report.fine("book", missing.empty()
                            ? "cpp-httplib and md4c are installed"
                            : fmt::format("missing: {}; ./course book installs it", missing));
    // NOLINTNEXTLINE(readability-redundant-string-init): empty only where none was set
    constexpr std::string_view ignored = COURSE_IGNORED_FLAGS;
    if (!ignored.empty()) {
        report.fine("flags", fmt::format("ignored, from the environment: {}", ignored));
    }
    std::error_code error;
    namespace fs = std::filesystem;
    for (const fs::path& folder : {project.build, fs::temp_directory_path(error),
                                   fs::exists(project.state) ? project.state : project.root}) {
        if (access(folder.c_str(), W_OK | X_OK) != 0) {
            const std::string why = std::generic_category().message(errno);
            report.problem(
                "folder", fmt::format("{} cannot be written: {}",
                                      folder.empty() ? "what TMPDIR names" : folder.string(), why));
        }
    }
    const auto space = fs::space(project.root, error);
    const auto free = space.available >> 20;
    if (error || free < 500) {
        report.problem("disk",
                       fmt::format("{} MiB free; the course needs about 500 to build", free));
    } else {
        report.fine("disk", fmt::format("{} MiB free", free));
    }
    std::cout << (report.problems == 0 ? "All is well.\n"
                                       : fmt::format("{} to fix.\n", report.problems));
    return report.problems == 0 ? 0 : 1;
}

} // namespace course
