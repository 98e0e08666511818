// Writes reports on a class whose names and verdicts are of what breaks files, for
// parse_reports.py: fuzzed_reports FOLDER.

#include <filesystem>
#include <random>

#include <fmt/format.h>

#include "classroom/reports.hpp"
#include "course/commands/junit.hpp"
#include "course/files.hpp"

namespace fs = std::filesystem;
using classroom::Points;
using classroom::Result;
using judge::State;
using judge::Verdict;

namespace {

constexpr int n_classes = 10;
constexpr int n_students = 4;

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    int below(int n) { return std::uniform_int_distribution(0, n - 1)(random_); }

    /// Markup, ends of what text may stand in, formulas, characters of no file format, bytes.
    std::string text() {
        static const std::vector<std::string> pieces{"]]>",
                                                     "<![CDATA[",
                                                     "</failure>",
                                                     "<script>alert(1)</script>",
                                                     "-->",
                                                     "<!--",
                                                     "&amp",
                                                     "&#0;",
                                                     "&",
                                                     "\"",
                                                     "'",
                                                     "\" onload=\"x",
                                                     "\\",
                                                     "\\u0000",
                                                     "\n",
                                                     "\r\n",
                                                     "\t",
                                                     "\x01",
                                                     "\x1b[31m",
                                                     "\x7f",
                                                     std::string(1, '\0'),
                                                     "\xc2\x85",
                                                     "\xe2\x80\xa8",
                                                     "\xe2\x80\xae",
                                                     "\xef\xbb\xbf",
                                                     "\xef\xbf\xbe",
                                                     "\xef\xbf\xbf",
                                                     "\xed\xa0\x80",
                                                     "\xed\xb0\x80",
                                                     "\xf4\x90\x80\x80",
                                                     "\xc0\xaf",
                                                     "\xff",
                                                     "\xe2\x82",
                                                     "\xf0\x9f\x98\x80",
                                                     "é",
                                                     "=cmd()",
                                                     "+1",
                                                     "@a",
                                                     ",",
                                                     ";",
                                                     "|",
                                                     "`",
                                                     "```\n",
                                                     "</pre>",
                                                     "</textarea>",
                                                     "%s",
                                                     "word ",
                                                     " "};
        std::string made;
        for (int i = below(30); i >= 0; --i) {
            made += below(4) == 0
                        ? std::string(1, static_cast<char>(below(256)))
                        : pieces[static_cast<std::size_t>(below(static_cast<int>(pieces.size())))];
        }
        return made;
    }

private:
    std::mt19937 random_;
};

Result drawn(Draw& draw, const std::vector<course::Exercise>& exercises) {
    const std::string name = draw.text();
    Result result{{name, {{"01.1", ""}}, {draw.text()}, 0, {.called = name}},
                  {},
                  draw.below(2) == 0,
                  {draw.text()}};
    for (const course::Exercise& exercise : exercises) {
        Verdict verdict;
        verdict.exercise = exercise.id;
        verdict.state =
            static_cast<State>(draw.below(static_cast<int>(State::grader_at_fault) + 1));
        verdict.summary = draw.text();
        verdict.failed_check = draw.text();
        verdict.details = {draw.text(), draw.text()};
        verdict.explanation = draw.text();
        verdict.output = draw.text();
        result.verdicts.push_back(verdict);
    }
    return result;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        return 2;
    }
    course::Project project{COURSE_ROOT, "", fs::path(COURSE_ROOT) / "lessons", ""};
    project.lessons = course::read_lessons(project);
    project.lessons.resize(2);
    const auto exercises = course::find_exercises(project, "all");
    Points worth;
    for (const course::Exercise& exercise : exercises) {
        worth[exercise.id] = 1;
    }
    for (int i = 0; i < n_classes; ++i) {
        Draw draw(static_cast<unsigned>(i));
        const fs::path folder = fs::path(argv[1]) / std::to_string(i);
        std::vector<Result> results;
        for (int student = 0; student < n_students; ++student) {
            results.push_back(drawn(draw, exercises));
            const Result& result = results.back();
            std::vector<course::Timed> timed;
            for (const Verdict& verdict : result.verdicts) {
                timed.push_back({verdict, 0});
            }
            const std::string name = std::to_string(student);
            course::write_file(folder / (name + ".xml"),
                               junit(project, exercises, timed, "2026-11-21T09:30:00"));
            course::write_file(folder / (name + ".json"), gradescope_json(project, result, worth));
            course::write_file(folder / (name + ".html"), feedback_html(project, result, worth));
        }
        course::write_file(folder / "class.html", class_page(project, results, worth));
        course::write_file(folder / "gradebook.csv", gradebook(results, worth));
        course::write_file(folder / "moodle.csv", moodle_csv(results, worth));
        course::write_file(folder / "canvas.csv", canvas_csv(results, worth));
    }
}
