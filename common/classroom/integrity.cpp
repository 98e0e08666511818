#include <cctype>
#include <regex>

#include <fmt/format.h>

#include "classroom/result.hpp"
#include "course/files.hpp"
#include "course/grading/stub.hpp"
#include "show/text.hpp"

namespace classroom {

namespace {

struct Shape {
    std::string text; // the tokens, each name as the number of its first place
    std::size_t tokens = 0;
};

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The text without comments and spaces, its names numbered. Quoted text is read in the same way:
/// it says little.
Shape shape_of(const std::string& text) {
    Shape shape;
    std::map<std::string, std::size_t> names;
    constexpr std::string_view mark = "\xEF\xBB\xBF"; // of UTF-8, which Windows editors put first
    std::size_t end = 0;
    for (std::size_t at = text.starts_with(mark) ? mark.size() : 0; at < text.size(); at = end) {
        end = at + 1;
        if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
            continue;
        }
        if (text.compare(at, 2, "//") == 0) {
            end = text.find('\n', at);
            continue;
        }
        if (text.compare(at, 2, "/*") == 0) {
            end = text.find("*/", at + 2);
            end += end == std::string::npos ? 0 : 2;
            continue;
        }
        while (is_of_name(text[at]) && end < text.size() && is_of_name(text[end])) {
            ++end;
        }
        const std::string token = text.substr(at, end - at);
        const bool is_name = is_of_name(token.front()) &&
                             std::isdigit(static_cast<unsigned char>(token.front())) == 0;
        shape.text +=
            is_name ? fmt::format("#{} ", names.try_emplace(token, names.size()).first->second)
                    : token + " ";
        ++shape.tokens;
    }
    return shape;
}

/// The first #include of a text that leaves its lesson, by its path or by a macro.
std::string stray_include(const std::string& text) {
    static const std::regex include(
        R"(\s*#\s*include(_next)?\s*([^<"\s]|[<"]/|[<"].*(\.\.|solutions/|tests/)).*)");
    for (const std::string& line : show::lines_of(text)) {
        if (const std::string begin = line.substr(0, 200); std::regex_match(begin, include)) {
            return begin.substr(begin.find('#'), 100);
        }
    }
    return "";
}

// Short answers all look alike, so only longer ones are compared.
constexpr std::size_t telling = 60; // tokens beyond the stub's

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
                    result.hints.push_back(fmt::format("{} includes a file outside its lesson: {}",
                                                       exercise.id, stray));
                }
                const Shape shape = shape_of(text->second);
                if (shape.tokens >= least && shape.text == ours) {
                    result.hints.push_back(exercise.id +
                                           " is our solution, apart from names and spaces");
                } else if (shape.tokens >= least) {
                    alike[shape.text].push_back(&result);
                }
            }
            for (const auto& group : alike) {
                for (Result* result : group.second) {
                    if (group.second.size() > 1) {
                        const Result* other =
                            group.second.front() == result ? group.second[1] : group.second.front();
                        result->hints.push_back(fmt::format(
                            "{} equals that of {}, apart from names and spaces ({} are alike)",
                            exercise.id, other->hand_in.student, group.second.size()));
                    }
                }
            }
        }
    }
}

} // namespace classroom
