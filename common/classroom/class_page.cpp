#include <algorithm>

#include <fmt/format.h>

#include "classroom/reports.hpp"

namespace classroom {

using judge::State;
using judge::Verdict;

namespace {

const char* const style = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
                          "th{font-weight:normal;text-align:left;padding:.1em .6em}"
                          "td{border:1px solid #fff;width:1.6em;height:1.4em;text-align:center}"
                          ".p{background:#2b7a4b;color:#fff}.n{background:#e8e8e8;color:#555}"
                          ".w{background:#d9a441;color:#000}.c{background:#a33b3b;color:#fff}"
                          "pre{background:#f4f4f4;padding:1em;overflow-x:auto}";

/// A cell's class, and its sign for readers who cannot distinguish the colours.
std::pair<const char*, const char*> look_of(State state) {
    switch (state) {
    case State::passed:
        return {"p", "✓"};
    case State::not_started:
        return {"n", "·"};
    case State::wrong:
        return {"w", "✗"};
    case State::does_not_compile:
        return {"c", "C"};
    case State::grader_at_fault:
        return {"c", "?"};
    default:
        return {"c", "!"};
    }
}

std::string heatmap(const std::vector<Result>& results, const Points& worth) {
    std::string text = "<table>\n<tr><th></th>";
    for (const auto& [exercise, points] : worth) {
        text += "<th>" + exercise + "</th>";
    }
    text += "<th>points</th></tr>\n";
    for (const Result& result : results) {
        text += "<tr><th>" + html_text(result.hand_in.student) + (result.late ? " (late)" : "") +
                "</th>";
        for (const Verdict& verdict : result.verdicts) {
            const auto [kind, sign] = look_of(verdict.state);
            text += fmt::format("<td class=\"{}\" title=\"{} {}\">{}</td>", kind, verdict.exercise,
                                judge::state_text(verdict.state), sign);
        }
        text += fmt::format("<th>{:g}</th></tr>\n", points_of(result, worth));
    }
    return text + "</table>\n";
}

/// A mistake in words, and who made it.
using Mistake = std::pair<std::string, std::vector<const Result*>>;

/// Those that were made in an exercise, the most frequent first.
std::vector<Mistake> mistakes_in(const std::vector<Result>& results, std::size_t exercise) {
    std::map<std::string, std::vector<const Result*>> by_words;
    for (const Result& result : results) {
        const Verdict& verdict = result.verdicts[exercise];
        if (verdict.state != State::passed && verdict.state != State::not_started &&
            !is_ungraded(verdict)) {
            const std::string words = !verdict.explanation.empty() ? verdict.explanation
                                      : !verdict.failed_check.empty()
                                          ? "fails the check: " + verdict.failed_check
                                          : judge::state_text(verdict.state) +
                                                (verdict.summary.empty() ? "" : ": ") +
                                                verdict.summary;
            by_words[words].push_back(&result);
        }
    }
    std::vector<Mistake> mistakes(by_words.begin(), by_words.end());
    std::ranges::stable_sort(mistakes, [](const Mistake& a, const Mistake& b) {
        return a.second.size() > b.second.size();
    });
    return mistakes;
}

std::string mistakes_text(const course::Project& project, const std::vector<Result>& results) {
    std::string text;
    const std::size_t count = results.empty() ? 0 : results.front().verdicts.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& id = results.front().verdicts[i].exercise;
        const std::string title = find_exercises(project, id).front().title;
        const auto mistakes = mistakes_in(results, i);
        if (mistakes.empty()) {
            continue;
        }
        text += fmt::format("<h3>{} {}</h3>\n", id, title);
        for (const auto& [words, by] : mistakes) {
            text += fmt::format(
                "<p><b>{} of {}</b>: {}</p>\n<details><summary>{}, for example</summary>"
                "<pre>{}</pre></details>\n",
                by.size(), results.size(), html_text(words), html_text(by.front()->hand_in.student),
                html_text(judge::render(by.front()->verdicts[i], {.name = title})));
        }
    }
    return text.empty() ? "<p>None.</p>\n" : text;
}

/// A list of the lines about each student.
template <class Lines>
std::string list_of(const std::vector<Result>& results, const Lines& lines_of) {
    std::string text;
    for (const Result& result : results) {
        for (const std::string& line : lines_of(result)) {
            text += fmt::format("<li>{}: {}</li>\n", html_text(result.hand_in.student),
                                html_text(line));
        }
    }
    return text.empty() ? "<p>None.</p>\n" : "<ul>\n" + text + "</ul>\n";
}

} // namespace

std::string class_page(const course::Project& project, const std::vector<Result>& results,
                       const Points& worth) {
    return fmt::format(
               "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The "
               "class</title>\n<style>{}</style></head><body>\n<h1>The class</h1>\n<p>{} hand-ins. "
               "✓ passed, ✗ wrong, C does not compile, ! crashed or was ended, · not started, ? "
               "not graded: the machine's fault.</p>\n",
               style, results.size()) +
           heatmap(results, worth) + "<h2>Which mistakes were made</h2>\n" +
           mistakes_text(project, results) + "<h2>Refused or missing files</h2>\n" +
           list_of(results, [](const Result& result) { return result.hand_in.remarks; }) +
           "<h2>Worth a look</h2>\n<p>Hints for a person to check, not proof: a right answer "
           "has few forms.</p>\n" +
           list_of(results, [](const Result& result) { return result.hints; }) + "</body></html>\n";
}

} // namespace classroom
