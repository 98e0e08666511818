#include "course/commands/solution.hpp"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "course/files.hpp"
#include "course/grading/grade.hpp"
#include "course/grading/stub.hpp"
#include "process/run.hpp"
#include "show/terminal.hpp"
#include "show/text.hpp"

namespace course {

namespace fs = std::filesystem;

namespace {

constexpr const char* none_here =
    "This edition of the course comes without solutions: ask your teacher.";

std::string read_solution(const Project& project, const Exercise& exercise) {
    const auto text = read_file(exercise.solution);
    if (!text) {
        throw BadUse(fmt::format("cannot read {}; `git checkout solutions` brings it back",
                                 short_path(project, exercise.solution)));
    }
    return *text;
}

/// Without the marks at which the stub is cut, and without the stub's form.
std::string without_marks(const std::string& solution) {
    std::string text;
    bool form = false;
    for (const std::string& line : show::lines_of(solution)) {
        const std::size_t start = line.find_first_not_of(' ');
        const std::string words = start == std::string::npos ? "" : line.substr(start);
        form = (form || words == "// blank") && words != "// end";
        const bool mark = words.starts_with("// solution ") || words == "// end" ||
                          words.starts_with("// clang-format ");
        text += form || mark ? "" : line + "\n";
    }
    return text;
}

} // namespace

std::string solution_code(const Project& project, const Exercise& exercise) {
    if (is_student_edition(project)) {
        throw BadUse(none_here);
    }
    return without_marks(read_solution(project, exercise));
}

std::string solution_text(const Project& project, const Exercise& exercise, bool as_diff) {
    if (is_student_edition(project)) {
        return std::string(none_here) + "\n";
    }
    const std::string text = solution_code(project, exercise);
    const std::string title =
        show::bold(fmt::format("{} {}, our solution", exercise.id, exercise.title)) +
        ": one possibility of many\n\n";
    if (!as_diff) {
        return title + text;
    }
    const fs::path ours = project.state / "solutions" / exercise.file.filename();
    write_file(ours, text);
    const bool colours = show::terminal().colours != show::Colours::none;
    const process::Finished diff =
        process::run({"diff", "-u", colours ? "--color=always" : "-U3", "--label", "yours",
                      "--label", "ours", exercise.file.string(), ours.string()});
    return title + (diff.status > 1       ? text // no such diff here
                    : diff.output.empty() ? "Yours is the same.\n"
                                          : diff.output);
}

fs::path reset_exercise(const Project& project, const Exercise& exercise) {
    const std::string stub = cut_stub(read_solution(project, exercise));
    const auto text = read_file(exercise.file);
    fs::path backup;
    if (fs::exists(exercise.file) && text != stub) {
        const std::time_t now = std::time(nullptr);
        const std::string moment = fmt::format("{:%Y-%m-%d_%H-%M-%S}", *std::localtime(&now));
        const std::string name = exercise.file.filename();
        const fs::path folder =
            project.state / "backups" / moment / lesson_of(project, exercise).folder;
        backup = folder / name;
        for (int n = 2; fs::exists(backup); ++n) {
            backup = folder / fmt::format("{}.{}", name, n);
        }
        if (text) {
            write_file(backup, *text);
        } else { // a folder, or an unreadable file: moved as it is
            fs::create_directories(folder);
            fs::rename(exercise.file, backup);
        }
    }
    write_file(exercise.file, stub); // in one step
    return backup;
}

} // namespace course
