#include <sstream>

#include <fmt/format.h>

#include "classroom/names.hpp"
#include "classroom/result.hpp"
#include "course/files.hpp"
#include "course/grading/stub.hpp"

namespace classroom {

namespace {

struct Shape {
    std::string text; // the tokens, each name as the number of its first place
    std::size_t tokens = 0;
};

/// The text once comments, spaces and the choice of names are set aside.
Shape shape_of(const std::string& text) {
    Shape shape;
    constexpr std::string_view mark = "\xEF\xBB\xBF"; // of UTF-8, which Windows editors put first
    const std::string marked = text.starts_with(mark) ? text.substr(mark.size()) : text;
    std::map<std::string, std::size_t> names;
    for (const std::string& token : tokens_of(marked).all) {
        shape.text +=
            is_name(token)
                ? fmt::format("#{} ", names.try_emplace(token, names.size()).first->second)
                : token + " ";
        ++shape.tokens;
    }
    return shape;
}

/// The text with what goes on after a backslash in one line.
std::string joined_lines(const std::string& text) {
    std::string joined;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end = text[i] == '\\' ? text.find_first_not_of(" \t\r", i + 1) : i;
        if (end != i && end != std::string::npos && text[end] == '\n') {
            i = end;
        } else {
            joined += text[i];
        }
    }
    return joined;
}

/// Where a directive's word begins in a line, behind # or %: and what a compiler skips before it.
std::size_t directive_in(const std::string& line) {
    std::size_t at = 0;
    bool begun = false;
    while ((at = line.find_first_not_of(" \t\f\v\r", at)) != std::string::npos) {
        const bool hash = line[at] == '#';
        if (line.compare(at, 2, "/*") == 0) {
            const std::size_t end = line.find("*/", at + 2);
            at = end == std::string::npos ? line.size() : end + 2;
        } else if (!begun && (hash || line.compare(at, 2, "%:") == 0)) {
            begun = true;
            at += hash ? 1 : 2;
        } else {
            break;
        }
    }
    return begun ? at : std::string::npos;
}

/// Whether what a directive includes stands elsewhere: in a macro.
bool includes_by_a_macro(const std::string& line, std::size_t directive) {
    const std::size_t word = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", directive);
    const std::string name = line.substr(directive, word - directive);
    const std::size_t operand = line.find_first_not_of(" \t\f\v\r", word);
    return (name == "include" || name == "include_next" || name == "import") &&
           operand != std::string::npos && line[operand] != '"' && line[operand] != '<';
}

/// The text with a space for each comment that may go over several lines.
std::string without_comments(const std::string& text) {
    std::string rest;
    std::size_t at = 0;
    for (std::size_t begin = 0; (begin = text.find("/*", at)) != std::string::npos;) {
        rest += text.substr(at, begin - at) + " ";
        at = std::min(text.find("*/", begin + 2), text.size() - 2) + 2;
    }
    return rest + text.substr(at);
}

/// The first #include of these lines that leads out of its lesson, by its quotes, its absolute path
/// or by a macro; "" if there is none.
std::string stray_include_in(const std::string& joined) {
    std::istringstream lines(joined);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = directive_in(line);
        if (begin == std::string::npos || (line.find("include", begin) == std::string::npos &&
                                           line.compare(begin, 6, "import") != 0)) {
            continue;
        }
        if (includes_by_a_macro(line, begin) || line.find("..") != std::string::npos ||
            line.find("\"/") != std::string::npos || line.find("</") != std::string::npos ||
            line.find("solutions/") != std::string::npos ||
            line.find("tests/") != std::string::npos) {
            return line.substr(line.find_first_not_of(" \t"), 100);
        }
    }
    return "";
}

/// That of a file. What looks like a comment may stand in a string: both ways to read it count.
std::string stray_include(const std::string& text) {
    const std::string joined = joined_lines(text);
    const std::string stray = stray_include_in(joined);
    return stray.empty() ? stray_include_in(without_comments(joined)) : stray;
}

// A short answer has hardly any other form: what two share says nothing then.
constexpr std::size_t telling = 60; // tokens more than the stub has

} // namespace

void add_hints(const course::Project& project, std::vector<Result>& results) {
    for (const course::Lesson& lesson : project.lessons) {
        for (const course::Exercise& exercise : lesson.exercises) {
            const std::string solved = course::read_file(exercise.solution).value_or("");
            const std::size_t least = shape_of(course::cut_stub(solved)).tokens + telling;
            const std::string ours = shape_of(solved).text;
            std::map<std::string, std::vector<Result*>> alike;
            for (Result& result : results) {
                const auto text = result.hand_in.texts.find(exercise.id);
                if (text == result.hand_in.texts.end()) {
                    continue;
                }
                if (const std::string stray = stray_include(text->second); !stray.empty()) {
                    result.hints.push_back(fmt::format("{} includes what is not of its lesson: {}",
                                                       exercise.id, stray));
                }
                const Shape shape = shape_of(text->second);
                if (shape.tokens >= least) {
                    alike[shape.text].push_back(&result);
                }
                if (shape.tokens >= least && shape.text == ours) {
                    result.hints.push_back(exercise.id +
                                           " is our solution, but for names and spaces");
                }
            }
            for (const auto& group : alike) {
                for (Result* result : group.second) {
                    if (group.second.size() > 1 && group.first != ours) {
                        const Result* other =
                            group.second.front() == result ? group.second[1] : group.second.front();
                        result->hints.push_back(
                            fmt::format("{} is that of {}, but for names and spaces ({} are alike)",
                                        exercise.id, other->hand_in.student, group.second.size()));
                    }
                }
            }
        }
    }
}

} // namespace classroom
