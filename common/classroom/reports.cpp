#include "classroom/reports.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

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

bool is_worth_words(const Verdict& verdict) {
    return verdict.state != State::passed && verdict.state != State::not_started;
}

std::size_t passed(const Result& result) {
    return static_cast<std::size_t>(
        std::count_if(result.verdicts.begin(), result.verdicts.end(),
                      [](const Verdict& each) { return each.state == State::passed; }));
}

std::string headline(const Result& result, const Points& worth) {
    return fmt::format("{} of {} exercises passed, {} of {} points{}{}", passed(result),
                       result.verdicts.size(), number(points_of(result, worth)),
                       number(points_in_all(worth)), result.late ? ", handed in late" : "",
                       is_graded(result) ? "" : ", not all of it could be graded");
}

/// The points of an exercise; "?" where the machine kept us from grading it: that is no 0.
std::string points_text(const Verdict& verdict, const Points& worth) {
    return is_ungraded(verdict) ? "?" : number(earned(verdict, worth));
}

/// The points of a hand-in for a grading system; none while not all of it is graded.
std::string final_points(const Result& result, const Points& worth) {
    return is_graded(result) ? number(points_of(result, worth)) : "";
}

/// Moodle names a folder "Ada Lovelace_12345_assignsubmission_file_": her name and her number.
std::pair<std::string, std::string> moodle_name(const std::string& student) {
    const std::size_t end = student.find("_assignsubmission");
    const std::size_t begin =
        end == std::string::npos || end == 0 ? end : student.rfind('_', end - 1);
    if (begin == std::string::npos) {
        return {student, student};
    }
    return {student.substr(0, begin), "Participant " + student.substr(begin + 1, end - begin - 1)};
}

/// Whether of two hand-ins of one participant Moodle gets the second: what is not wholly graded has
/// no points yet, which is no reason to give those of the other.
bool goes_before(const Result& first, const Result& second, const Points& worth) {
    return is_graded(first) &&
           (!is_graded(second) || points_of(first, worth) < points_of(second, worth));
}

/// The text with a sign in the place of what a terminal or a reader would obey, but what is kept.
std::string with_signs_for_controls(std::string_view text, char sign, std::string_view kept) {
    std::string result;
    while (!text.empty()) {
        const show::CodePoint point = show::first_code_point(text);
        if (show::is_control_or_direction(point.value) &&
            kept.find(text.front()) == std::string_view::npos) {
            result += sign;
        } else {
            result += text.substr(0, point.bytes);
        }
        text.remove_prefix(point.bytes);
    }
    return result;
}

} // namespace

std::string whole_text(const std::string& text) {
    // What is no UTF-8 is replaced, by the one place that knows how.
    const std::string whole = nlohmann::json::parse(
        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return with_signs_for_controls(whole, ' ', "\n\t");
}

std::string csv_cell(const std::string& text) {
    std::string cell = whole_text(text);
    if (!cell.empty() && std::string_view("=+-@\t").find(cell.front()) != std::string::npos) {
        cell.insert(0, "'");
    }
    if (cell.find_first_of(",\"\n") == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char c : cell) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
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
    std::string name = with_signs_for_controls(student.substr(0, longest), '_', "");
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == '\\'; }, '_');
    // Two that are alike now are still two.
    return name == student
               ? name
               : fmt::format("{}-{:08x}", name, std::hash<std::string>()(student) & 0xFFFFFFFF);
}

void name_files(std::vector<Result>& results) {
    std::set<std::string> taken;
    for (Result& result : results) {
        result.file = file_name(result.hand_in.student);
        if (result.file == result.hand_in.student) { // who is so called has that name
            taken.insert(result.file);
        }
    }
    for (Result& result : results) {
        const std::string name = result.file;
        for (int n = 2; name != result.hand_in.student && !taken.insert(result.file).second; ++n) {
            result.file = fmt::format("{}-{}", name, n);
        }
    }
}

std::string gradebook(const std::vector<Result>& results, const Points& worth) {
    std::string text = "student,late,points,of";
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

void remark_participants(std::vector<Result>& results) {
    std::map<std::string, std::vector<Result*>> participants;
    for (Result& result : results) {
        participants[moodle_name(result.hand_in.student).second].push_back(&result);
    }
    for (const auto& [identifier, theirs] : participants) {
        for (Result* result : theirs) {
            if (theirs.size() > 1) {
                result->hand_in.remarks.push_back(fmt::format(
                    "{} has {} hand-ins here: in moodle.csv is the one with most points",
                    identifier, theirs.size()));
            }
        }
    }
}

std::string moodle_csv(const std::vector<Result>& results, const Points& worth) {
    std::map<std::string, const Result*> taken; // by the participant
    for (const Result& result : results) {
        const Result*& best = taken[moodle_name(result.hand_in.student).second];
        best = best == nullptr || goes_before(*best, result, worth) ? &result : best;
    }
    std::string text = "Identifier,Full name,Grade,Maximum grade,Feedback comments\n";
    for (const Result& result : results) {
        const auto [name, identifier] = moodle_name(result.hand_in.student);
        if (taken.at(identifier) != &result) {
            continue;
        }
        text += fmt::format("{},{},{},{},{}\n", csv_cell(identifier), csv_cell(name),
                            final_points(result, worth), number(points_in_all(worth)),
                            csv_cell(headline(result, worth)));
    }
    return text;
}

std::string canvas_csv(const std::vector<Result>& results, const Points& worth) {
    std::string text = "Student,ID,SIS Login ID,Section,Attention course\n";
    text += "Points Possible,,,," + number(points_in_all(worth)) + "\n";
    for (const Result& result : results) {
        const std::string student = csv_cell(result.hand_in.student);
        text += fmt::format("{},,{},,{}\n", student, student, final_points(result, worth));
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

std::string feedback_markdown(const course::Project& project, const Result& result,
                              const Points& worth) {
    std::string text = fmt::format("# {}\n\n{}.\n\n", markdown_text(result.hand_in.student),
                                   headline(result, worth));
    for (const std::string& remark : result.hand_in.remarks) {
        text += "- " + markdown_text(remark) + "\n";
    }
    text += "\n| exercise | | points |\n|---|---|---|\n";
    for (const Verdict& verdict : result.verdicts) {
        text += fmt::format("| {} {} | {} | {} |\n", verdict.exercise,
                            title_of(project, verdict.exercise), judge::state_text(verdict.state),
                            points_text(verdict, worth));
    }
    for (const Verdict& verdict : result.verdicts) {
        if (is_worth_words(verdict)) {
            text += fmt::format("\n## {} {}\n\n", verdict.exercise,
                                title_of(project, verdict.exercise));
            std::istringstream lines(whole_text(words_of(project, verdict)));
            for (std::string line; std::getline(lines, line);) {
                text += "    " + line + "\n"; // as code, whatever is in it
            }
        }
    }
    return text;
}

std::string feedback_html(const course::Project& project, const Result& result,
                          const Points& worth) {
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<style>body{{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}"
        "pre{{background:#f4f4f4;padding:1em;overflow-x:auto}}td{{padding:.1em 1em .1em 0}}"
        "th{{text-align:left;padding-right:1em}}</style></head><body>\n<h1>{0}</h1>\n<p>{1}.</p>\n",
        html_text(result.hand_in.student), headline(result, worth));
    for (const std::string& remark : result.hand_in.remarks) {
        text += "<p>" + html_text(remark) + "</p>\n";
    }
    text += "<table>\n<tr><th>exercise</th><th></th><th>points</th></tr>\n";
    for (const Verdict& verdict : result.verdicts) {
        text += fmt::format("<tr><td>{} {}</td><td>{}</td><td>{}</td></tr>\n", verdict.exercise,
                            title_of(project, verdict.exercise), judge::state_text(verdict.state),
                            points_text(verdict, worth));
    }
    text += "</table>\n";
    for (const Verdict& verdict : result.verdicts) {
        if (is_worth_words(verdict)) {
            text += fmt::format("<h2>{} {}</h2>\n<pre>{}</pre>\n", verdict.exercise,
                                title_of(project, verdict.exercise),
                                html_text(words_of(project, verdict)));
        }
    }
    return text + "</body></html>\n";
}

} // namespace classroom
