// The program behind ./course.

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <iostream>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "course/commands/commands.hpp"
#include "course/grading/build.hpp"

namespace {

using course::Project;

Project open_project() {
    Project project{COURSE_ROOT, COURSE_BUILD, COURSE_EXERCISES, COURSE_STATE};
    project.lessons = course::read_lessons(project);
    return project;
}

constexpr const char* go = "go"; // what ./course 03.2 means; nobody types it

/// A lesson or an exercise in place of a command: go there.
std::vector<std::string> with_command(std::vector<std::string> words) {
    const auto first = std::find_if(words.begin(), words.end(),
                                    [](const auto& word) { return !word.starts_with("-"); });
    if (first != words.end() && !first->empty() &&
        (std::isdigit(static_cast<unsigned char>(first->front())) != 0 ||
         first->starts_with("lessons/"))) {
        words.insert(first, go);
    }
    return words;
}

int dispatch(int argc, char** argv) {
    CLI::App app; // help.txt describes each command and option, and the launcher prints it
    app.set_help_flag();
    int status = 0;
    bool yes = false;
    const auto command = [&](const char* name) {
        CLI::App* sub = app.add_subcommand(name);
        sub->add_flag("--yes", yes);
        return sub;
    };
    app.add_flag("--yes", yes);
    std::string word;
    app.callback([&] {
        if (app.get_subcommands().empty()) {
            status = course::start(open_project(), "");
        }
    });
    CLI::App* going = command(go);
    going->add_option("ID", word)->required();
    going->group("");
    going->callback([&] { status = course::start(open_project(), word); });

    command("list")->callback([&] { status = course::list(open_project()); });

    course::GradeCommand grade;
    std::string format = "text";
    bool skip_not_started = false;
    CLI::App* grading = command("grade");
    grading->add_option("ID", grade.words);
    grading->add_flag("--solution", grade.solution);
    grading->add_option("--format", format)->check(CLI::IsMember({"text", "json", "junit"}));
    grading->add_option("--seed", grade.seed);
    grading->add_flag("--fresh", grade.fresh);
    grading->add_flag("--prepare", grade.prepare)->group("");
    grading->add_flag("--progress", grade.progress)->group(""); // for ./course itself
    grading->add_flag("--skip-not-started", skip_not_started);
    grading->callback([&] {
        grade.format = format;
        grade.not_started_status = skip_not_started ? 77 : 1;
        status = course::grade_command(open_project(), grade);
    });

    course::RunCommand run;
    CLI::App* running = command("run");
    running->add_option("ID", run.word)->required();
    running->add_flag("--prepare", run.prepare)->group("");
    running->add_flag("--solution", run.solution);
    running->add_option("OPTIONS", run.options);
    running->callback([&] { status = course::run_walkthroughs(open_project(), run); });

    using Tool = int(const Project&, const std::vector<std::string>&);
    const auto tool = [&](const char* name, Tool* start) {
        CLI::App* sub = app.add_subcommand(name);
        sub->prefix_command(); // its options are its own program's
        sub->callback([&status, sub, start] { status = start(open_project(), sub->remaining()); });
    };
    tool("plot", course::plot);
    tool("bench", course::bench);
    tool("book", course::book);
    tool("class", course::grade_class);

    std::size_t level = 0;
    CLI::App* hinting = command("hint");
    hinting->add_option("ID", word);
    hinting->add_option("--level", level)->check(CLI::Range(1, 3));
    hinting->callback([&] { status = course::hint(open_project(), word, level); });

    CLI::App* solving = command("solution");
    solving->add_option("ID", word)->required();
    solving->callback([&] { status = course::solution(open_project(), word, yes); });

    CLI::App* resetting = command("reset");
    resetting->add_option("ID", word)->required();
    resetting->callback([&] { status = course::reset(open_project(), word, yes); });

    command("doctor")->callback([&] { status = course::doctor(open_project()); });

    const std::vector<std::string> words = with_command({argv + 1, argv + argc});
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& error) {
        const auto chosen = app.get_subcommands();
        throw course::BadUse(fmt::format("{} (see ./course {}--help)", error.what(),
                                         chosen.empty() ? "" : chosen[0]->get_name() + " "));
    }
    std::cout << std::flush;
    if (!std::cout) {
        throw course::BadUse("the output could not be written");
    }
    return status;
}

/// There is no descriptor, process, memory or room left.
bool is_fault_of_machine(const std::error_code& code) {
    static constexpr std::array<int, 6> faults{EMFILE, ENFILE, EAGAIN, ENOMEM, ENOSPC, EIO};
    return code.category() == std::generic_category() &&
           std::find(faults.begin(), faults.end(), code.value()) != faults.end();
}

} // namespace

int main(int argc, char** argv) {
    try {
        return dispatch(argc, argv);
    } catch (const course::MachineFault& fault) {
        std::cerr << "course: " << fault.what() << "\n";
        return 3;
    } catch (const std::system_error& error) {
        std::cerr << "course: " << error.what() << "\n";
        return is_fault_of_machine(error.code()) ? 3 : 2;
    } catch (const std::exception& error) {
        std::cerr << "course: " << error.what() << "\n";
        return 2;
    }
}
