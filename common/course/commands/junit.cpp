#include "course/commands/junit.hpp"

#include <fmt/format.h>

#include "show/text.hpp"

namespace course {

using judge::State;
using judge::Verdict;

namespace {

/// Text for XML: whole characters, and no control characters.
std::string escaped_whole(const std::string& text) {
    std::string result;
    for (const std::string& line : show::lines_of(text)) {
        result += show::escaped(show::printable(line));
        result += "&#10;"; // in an attribute, a line end would become a space
    }
    return result.substr(0, result.size() - (text.ends_with('\n') || text.empty() ? 0 : 5));
}

/// The element inside a test case that says how it failed; none if it passed.
std::string outcome(const Exercise& exercise, const Verdict& verdict) {
    const std::string message = escaped_whole(verdict.summary);
    switch (verdict.state) {
    case State::passed:
        return "";
    case State::not_started:
        return fmt::format("      <skipped message=\"{}\"/>\n", message);
    default: {
        const std::string element = verdict.state == State::grader_at_fault ? "error" : "failure";
        return fmt::format("      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", element, message,
                           judge::state_text(verdict.state),
                           escaped_whole(judge::render(verdict, {.name = exercise.title})));
    }
    }
}

} // namespace

std::string junit(const Project& project, const std::vector<Exercise>& exercises,
                  const std::vector<Timed>& graded, const std::string& moment) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    std::size_t id = 0;
    for (std::size_t first = 0, last = 0; first < exercises.size(); first = last) {
        const Lesson& lesson = lesson_of(project, exercises[first]);
        std::string cases;
        std::size_t failures = 0;
        std::size_t errors = 0;
        std::size_t skipped = 0;
        double seconds = 0;
        while (last < exercises.size() && &lesson_of(project, exercises[last]) == &lesson) {
            const Exercise& exercise = exercises[last];
            const Verdict& verdict = graded[last].verdict;
            const std::string element = outcome(exercise, verdict);
            cases += fmt::format(
                "    <testcase classname=\"{}\" name=\"{} {}\" time=\"{:.3f}\"{}>\n",
                escaped_whole(lesson.folder), exercise.id, escaped_whole(exercise.title),
                graded[last].seconds, element.empty() ? "/" : "");
            cases += element.empty() ? "" : element + "    </testcase>\n";
            skipped += verdict.state == State::not_started ? 1 : 0;
            errors += verdict.state == State::grader_at_fault ? 1 : 0;
            failures += element.starts_with("      <failure") ? 1 : 0;
            seconds += graded[last].seconds;
            ++last;
        }
        text += fmt::format(
            "  <testsuite name=\"{} {}\" package=\"lessons\" id=\"{}\" timestamp=\"{}\" "
            "hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
            "time=\"{:.3f}\">\n    <properties/>\n{}    <system-out/>\n    <system-err/>\n"
            "  </testsuite>\n",
            lesson.id, escaped_whole(lesson.title), id++, moment, last - first, failures, errors,
            skipped, seconds, cases);
    }
    return text + "</testsuites>\n";
}

} // namespace course
