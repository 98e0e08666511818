#include "classroom/reports.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "course/commands/printing.hpp"
#include "show/text.hpp"

namespace classroom {

using judge::State;
using judge::Verdict;

namespace {

/// Points as they are written: 1, 2.5.
std::string number(double points) {
    return fmt::format("{:g}", points);
}

std::string title_of(const course::Project& project, const std::string& id) {
    return find_exercises(project, id).front().title;
}

std::string words_of(const course::Project& project, const Verdict& verdict) {
    return judge::render(verdict, {.name = title_of(project, verdict.exercise)});
}

std::string headline(const Result& result, const Points& worth) {
    if (!has_exercises(result)) {
        return "no exercise was found";
    }
    return fmt::format("{} of {} exercises passed, {} of {} points{}{}",
                       course::count_passed(result.verdicts), result.verdicts.size(),
                       number(points_of(result, worth)), number(points_in_all(worth)),
                       result.late ? ", handed in late" : "",
                       is_graded(result) ? "" : ", not all of it could be graded");
}

/// The points of an exercise; "?" where the machine kept us from grading it: that is no 0.
std::string points_text(const Verdict& verdict, const Points& worth) {
    return is_ungraded(verdict) ? "?" : number(earned(verdict, worth));
}

/// The points of a hand-in for a grading system; none while not all of it is graded, or where
/// there was nothing to grade.
std::string final_points(const Result& result, const Points& worth) {
    return is_graded(result) && has_exercises(result) ? number(points_of(result, worth)) : "";
}

constexpr const char* utf8_mark = "\xEF\xBB\xBF"; // by which Excel knows that it is UTF-8

} // namespace

std::string whole_text(const std::string& text) {
    std::string whole;
    for (const std::string& line : show::lines_of(text)) {
        whole += (whole.empty() ? "" : "\n") + show::printable(line);
    }
    return whole;
}

std::string csv_cell(const std::string& text) {
    const std::string whole = whole_text(text);
    const std::string_view separators = ",;|\t\n\"";
    std::string cell;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const char before = i == 0 ? ',' : whole[i - 1];
        const bool begins = separators.find(before) != std::string_view::npos ||
                            (before == ' ' && whole.compare(i, 2, "- ") != 0);
        cell +=
            begins && std::string_view("=+-@").find(whole[i]) != std::string_view::npos ? "'" : "";
        cell += whole[i] == '"' ? "\"\"" : std::string(1, whole[i]);
    }
    return cell.find_first_of(separators) == std::string::npos ? cell : '"' + cell + '"';
}

std::string html_text(const std::string& text) {
    return show::escaped(whole_text(text));
}

std::string markdown_text(const std::string& text) {
    std::string result;
    for (const char c : whole_text(text)) {
        const bool means = std::string_view("\\`*_[]<>&|#~").find(c) != std::string::npos;
        result += means ? "\\" : "";
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

std::string file_name(const std::string& student) {
    constexpr std::size_t longest = 120; // bytes; file systems take 255, with what is added
    std::string name = show::printable(student.substr(0, longest));
    std::ranges::replace_if(
        name, [](char c) { return c == '/' || c == '\\' || c == '\t'; }, '_');
    // Two that are alike now are still two.
    return name == student
               ? name
               : fmt::format("{}-{:08x}", name, std::hash<std::string>()(student) & 0xFFFFFFFF);
}

std::string gradebook(const std::vector<Result>& results, const Points& worth) {
    std::string text = utf8_mark;
    text += "student,late,points,of";
    for (const auto& [exercise, points] : worth) {
        text += "," + exercise;
    }
    text += ",remarks\n";
    for (const Result& result : results) {
        text +=
            fmt::format("{},{},{},{}", csv_cell(result.hand_in.student), result.late ? "yes" : "no",
                        number(points_of(result, worth)), number(points_in_all(worth)));
        for (const Verdict& verdict : result.verdicts) {
            text += "," + points_text(verdict, worth);
        }
        std::vector<std::string> remarks = result.hand_in.remarks;
        if (!is_graded(result)) {
            remarks.emplace_back("not all of it could be graded");
        }
        text += "," + csv_cell(fmt::format("{}", fmt::join(remarks, "; "))) + "\n";
    }
    return text;
}

std::string moodle_csv(const std::vector<Result>& results, const Points& worth) {
    std::string text = utf8_mark;
    text += "Identifier,Full name,Grade,Maximum grade,Feedback comments\n";
    for (const Result& result : results) {
        const Mark& who = result.hand_in.who;
        text += fmt::format(
            "{},{},{},{},{}\n",
            csv_cell(who.moodle.empty() ? result.hand_in.student : "Participant " + who.moodle),
            csv_cell(who.called), final_points(result, worth), number(points_in_all(worth)),
            csv_cell(headline(result, worth)));
    }
    return text;
}

std::string canvas_csv(const std::vector<Result>& results, const Points& worth) {
    std::string text = utf8_mark;
    text += "Student,ID,SIS Login ID,Section,Attention course\n";
    text += "Points Possible,,,," + number(points_in_all(worth)) + "\n";
    for (const Result& result : results) {
        const Mark& who = result.hand_in.who;
        text += fmt::format("{},{},{},,{}\n", csv_cell(who.called), who.canvas,
                            who.canvas.empty() ? csv_cell(result.hand_in.student) : "",
                            final_points(result, worth));
    }
    return text;
}

std::string gradescope_json(const course::Project& project, const Result& result,
                            const Points& worth) {
    nlohmann::json tests = nlohmann::json::array();
    for (const Verdict& verdict : result.verdicts) {
        const bool is_passed = verdict.state == State::passed;
        const double points = worth.at(verdict.exercise);
        tests.push_back({{"number", verdict.exercise},
                         {"name", verdict.exercise + " " + title_of(project, verdict.exercise)},
                         {"status", is_passed ? "passed" : "failed"},
                         {"score", is_passed ? points : 0.0},
                         {"max_score", points},
                         {"output_format", "text"},
                         {"output", words_of(project, verdict)}});
    }
    std::string said = headline(result, worth) + ".";
    for (const std::string& remark : result.hand_in.remarks) {
        said += "\n" + remark;
    }
    const nlohmann::json all{{"output", said}, {"output_format", "text"}, {"tests", tests}};
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

namespace {

/// Lines as Markdown's code, whatever is in them.
std::string indented(const std::string& text) {
    std::string result;
    for (const std::string& line : show::lines_of(whole_text(text))) {
        result += "    " + line + "\n";
    }
    return result;
}

constexpr const char* head_of_html =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
    "<style>body{{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}"
    "pre{{background:#f4f4f4;padding:1em;overflow-x:auto}}td{{padding:.1em 1em .1em 0}}"
    "th{{text-align:left;padding-right:1em}}</style></head><body>\n<h1>{0}</h1>\n<p>{1}.</p>\n";

} // namespace

std::string feedback(const course::Project& project, const Result& result, const Points& worth,
                     bool as_html) {
    const auto text_of = as_html ? html_text : markdown_text;
    std::string text;
    const auto add = [&](const char* markdown, const char* html, const auto&... parts) {
        text += fmt::format(fmt::runtime(as_html ? html : markdown), parts...);
    };
    add("# {}\n\n{}.\n\n", head_of_html, text_of(result.hand_in.student), headline(result, worth));
    for (const std::string& remark : result.hand_in.remarks) {
        add("- {}\n", "<p>{}</p>\n", text_of(remark));
    }
    add("\n| exercise | | points |\n|---|---|---|\n",
        "<table>\n<tr><th>exercise</th><th></th><th>points</th></tr>\n");
    for (const Verdict& verdict : result.verdicts) {
        add("| {} {} | {} | {} |\n", "<tr><td>{} {}</td><td>{}</td><td>{}</td></tr>\n",
            verdict.exercise, title_of(project, verdict.exercise), judge::state_text(verdict.state),
            points_text(verdict, worth));
    }
    add("", "</table>\n");
    for (const Verdict& verdict : result.verdicts) {
        if (verdict.state != State::passed && verdict.state != State::not_started) {
            const std::string words = words_of(project, verdict);
            add("\n## {} {}\n\n{}", "<h2>{} {}</h2>\n<pre>{}</pre>\n", verdict.exercise,
                title_of(project, verdict.exercise), as_html ? html_text(words) : indented(words));
        }
    }
    add("", "</body></html>\n");
    return text;
}

} // namespace classroom
