#include "course/commands/printing.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "course/grading/grade.hpp"
#include "course/screen/check.hpp"
#include "course/screen/drawing.hpp"
#include "show/terminal.hpp"
#include "show/text.hpp"

namespace course {

using judge::State;
using judge::Verdict;

namespace {

bool colours() {
    return show::terminal().colours != show::Colours::none;
}

} // namespace

void Progress::show(const std::string& text) {
    if (for_a_program_) {
        std::cerr << (text.empty() ? "" : progress_mark + text + "\n") << std::flush;
    } else if (isatty(STDERR_FILENO) != 0 && (!text.empty() || shown_)) {
        std::cerr << "\r\x1b[K" << text << std::flush;
        shown_ = !text.empty();
    }
}

BuildProgress Progress::build() {
    constexpr int quick = 4; // steps
    const bool watched = for_a_program_ || isatty(STDERR_FILENO) != 0;
    return [this, announced = watched](int done, int total) mutable {
        if (!announced && done < total && total > quick) {
            std::cerr << fmt::format("Building, in {} steps …\n", total) << std::flush;
            announced = true;
        }
        show(done < total ? fmt::format("building {}/{} …", done, total) : "checking …");
    };
}

void Progress::graded(std::size_t done, std::size_t total) {
    if (done < total) {
        show(fmt::format("checking {}/{} …", done + 1, total));
    }
}

void build_or_throw(const Project& project, const std::string& target, const std::string& name) {
    Progress progress;
    const BuildResult built = build(project, {target}, progress.build());
    if (!built.ok) {
        throw BadUse(
            fmt::format("{} could not be built: {}", name, built.failures.begin()->second));
    }
}

std::string next_step(const Project& project, const Exercise& exercise, State state) {
    const std::string file = short_path(project, exercise.file);
    const std::string page = short_path(project, lesson_of(project, exercise).page);
    switch (state) {
    case State::passed:
        return "";
    case State::not_started:
        return fmt::format("Read   {}\nWrite  {}\nThen   ./course grade {}\n", page, file,
                           exercise.id);
    case State::grader_at_fault:
        return "This is our mistake, not yours. ./course doctor looks for its cause.\n";
    default:
        return fmt::format("File   {}\nPage   {}\nHint   ./course hint {}\n", file, page,
                           exercise.id);
    }
}

std::string ended_by_signal(int status) {
    const int signal = status - 128;
    if (signal <= 0 || signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
        return "";
    }
    return fmt::format("was ended by signal {} ({}){}", signal, strsignal(signal),
                       signal == SIGKILL ? ": the memory may not have been enough" : "");
}

std::string indented(const std::string& lines) {
    std::string text;
    for (const std::string& line : show::lines_of(lines)) {
        text += (line.empty() ? "" : "  ") + line + "\n";
    }
    return text;
}

void print_verdict(const Project& project, const Exercise& exercise, const Verdict& verdict) {
    std::cout << judge::render(verdict, {.name = exercise.title, .colours = colours()});
    if (isatty(STDOUT_FILENO) != 0) {
        const std::string picture = drawing(exercise, verdict, show::terminal().width);
        std::cout << (picture.empty() ? "" : "\n") << picture;
    }
    const std::string next = next_step(project, exercise, verdict.state);
    std::cout << (next.empty() ? "" : "\n") << indented(next) << std::flush;
}

std::size_t count_passed(const std::vector<Verdict>& verdicts) {
    return static_cast<std::size_t>(
        std::count_if(verdicts.begin(), verdicts.end(),
                      [](const Verdict& each) { return each.state == State::passed; }));
}

std::vector<std::string> table_of(const Project& project, const std::vector<Exercise>& exercises,
                                  const std::function<std::string(std::size_t)>& line) {
    std::vector<std::string> lines;
    const Lesson* previous = nullptr;
    for (std::size_t i = 0; i < exercises.size(); ++i) {
        const Lesson& lesson = lesson_of(project, exercises[i]);
        if (&lesson != previous) {
            const std::string part = previous == nullptr ? "" : part_heading(*previous, lesson);
            lines.resize(lines.size() + (previous == nullptr ? 0 : 1));
            if (!part.empty()) {
                lines.insert(lines.end(), {part, ""});
            }
            lines.push_back(show::bold(lesson.id + " " + lesson.title) + ": " + lesson.idea);
            previous = &lesson;
        }
        lines.push_back(line(i));
    }
    return lines;
}

void print_table(const Project& project, const std::vector<Exercise>& exercises,
                 const std::vector<Verdict>& verdicts) {
    const auto line_of = [&](std::size_t i) {
        return "  " + judge::summary_line(verdicts[i], exercises[i].title, colours()) +
               (trouble_with_file(project, exercises[i]).empty() ? "" : " (no file)");
    };
    for (const std::string& line : table_of(project, exercises, line_of)) {
        std::cout << line << "\n";
    }
    std::cout << fmt::format("\n{} of {} exercises passed.\n", count_passed(verdicts),
                             exercises.size());
}

} // namespace course
