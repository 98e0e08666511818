#include <sstream>

#include <fmt/format.h>

#include "classroom/names.hpp"
#include "classroom/result.hpp"
#include "course/build/stub.hpp"
#include "course/files.hpp"

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

/// The quoted or absolute #include of a file that leads out of its lesson; "" if there is none.
std::string stray_include(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos || line[begin] != '#' ||
            line.find("include", begin) == std::string::npos) {
            continue;
        }
        if (line.find("..") != std::string::npos || line.find("\"/") != std::string::npos ||
            line.find("</") != std::string::npos || line.find("solutions/") != std::string::npos ||
            line.find("tests/") != std::string::npos) {
            return line.substr(begin, 100);
        }
    }
    return "";
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
