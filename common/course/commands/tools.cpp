// The commands that are programs of their own, built when they are first asked for.

#include <string_view>

#include <fmt/format.h>

#include "course/build/build.hpp"
#include "course/commands/commands.hpp"
#include "course/commands/printing.hpp"
#include "process/run.hpp"

namespace course {

namespace {

/// Builds a program that is made when it is first asked for, by a target of another name or its
/// own, and runs it.
int run_tool(const Project& project, const std::string& tool,
             const std::vector<std::string>& options, const std::string& target = "") {
    {
        Progress progress;
        const BuildResult built =
            build(project, {target.empty() ? tool : target}, progress.build());
        if (!built.ok) {
            throw BadUse(
                fmt::format("{} could not be built: {}", tool, built.failures.begin()->second));
        }
    }
    std::vector<std::string> command{project.build / tool};
    command.insert(command.end(), options.begin(), options.end());
    return process::run(command, {.capture = false}).status;
}

} // namespace

int plot(const Project& project, const std::vector<std::string>& options) {
    return run_tool(project, "plot", options);
}

int grade_class(const Project& project, const std::vector<std::string>& options) {
    return run_tool(project, "classroom", options, "classroom_program");
}

int bench(const Project& project, const std::vector<std::string>& options) {
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
        return build(project, {"book_translator"}).ok ? 0 : 1;
    }
    return run_tool(project, "book", options);
}

} // namespace course
