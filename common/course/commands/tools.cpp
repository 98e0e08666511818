// The commands that are programs of their own, built on first use.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include "course/commands/commands.hpp"
#include "course/commands/printing.hpp"
#include "course/grading/build.hpp"
#include "process/run.hpp"

namespace course {

namespace {

/// Builds a program that is built on first use, by a target of another name or its own, and runs
/// it. None of them asks questions, so --yes ends here.
int run_tool(const Project& project, const std::string& tool, std::vector<std::string> options,
             const std::string& target = "") {
    std::erase(options, "--yes");
    build_or_throw(project, target.empty() ? tool : target, tool);
    std::vector<std::string> command{project.build / tool};
    command.insert(command.end(), options.begin(), options.end());
    const int status = process::run(command, {.capture = false}).status;
    if (const std::string ended = ended_by_signal(status); !ended.empty()) {
        std::cerr << "course: " << tool << " " << ended << ".\n";
    }
    return status;
}

} // namespace

int plot(const Project& project, const std::vector<std::string>& options) {
    return run_tool(project, "plot", options);
}

int grade_class(const Project& project, const std::vector<std::string>& options) {
    return run_tool(project, "classroom", options, "classroom_program");
}

namespace {

/// Times a learner's exercise: the one lesson that has a bench.cpp says which.
int bench_mine(const Project& project, const std::vector<std::string>& options) {
    const auto lesson =
        std::find_if(project.lessons.begin(), project.lessons.end(), [](const Lesson& each) {
            return std::filesystem::exists(each.page.parent_path() / "bench.cpp");
        });
    if (lesson == project.lessons.end()) {
        throw BadUse("bench --mine: no lesson here has anything to time");
    }
    const bool solution = std::find(options.begin(), options.end(), "--solution") != options.end();
    return run_tool(project, "bench_" + lesson->folder + (solution ? "_solution" : ""), options);
}

} // namespace

int bench(const Project& project, const std::vector<std::string>& options) {
    if (const auto mine = std::find(options.begin(), options.end(), "--mine");
        mine != options.end()) {
        std::vector<std::string> others(options.begin(), mine);
        others.insert(others.end(), mine + 1, options.end());
        return bench_mine(project, others);
    }
    if (COURSE_HAS_BENCHMARK == 0) {
        throw BadUse(
            "bench needs Google Benchmark (Debian: libbenchmark-dev); install it, remove " +
            (project.build / "build.ninja").string() + ", and run ./course bench again");
    }
    return run_tool(project, "bench", options);
}

int book(const Project& project, const std::vector<std::string>& options) {
    // NOLINTNEXTLINE(readability-redundant-string-init): empty only where nothing is missing
    constexpr std::string_view missing = COURSE_BOOK_MISSING;
    if (!missing.empty()) {
        throw BadUse(fmt::format("the book needs {}; install what is missing, remove {}, and run "
                                 "./course book again",
                                 missing, (project.build / "build.ninja").string()));
    }
    if (options == std::vector<std::string>{"--prepare"}) { // for the book itself
        build_or_throw(project, "book_translator", "book_translator");
        return 0;
    }
    return run_tool(project, "book", options);
}

} // namespace course
