#include "course/grading/stub.hpp"

#include <regex>
#include <sstream>
#include <stdexcept>

namespace course {

std::string cut_stub(const std::string& solution) {
    static const std::regex begin(R"((\s*)// solution (\d\d\.\d+) \(([^)]*)\): (.+))");
    static const std::regex blank(R"(\s*// blank)");
    static const std::regex end(R"(\s*// end)");
    static const std::regex comment(R"((\s*)//(?: (.+))?)");
    const auto refuse = [](std::size_t number, const std::string& rule) {
        throw std::invalid_argument("cut_stub: " + rule + ", got line " + std::to_string(number));
    };
    std::istringstream lines(solution);
    std::string stub;
    std::size_t number = 0;
    std::size_t opened = 0; // the line of the marker we are behind, 0 outside
    std::string todo;       // what calls todo() in place of the part, unless there is a form
    bool form = false;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::smatch match;
        if (std::regex_match(line, match, begin)) {
            if (opened != 0) {
                refuse(number, "a solution must end before the next begins");
            }
            opened = number;
            const std::string arguments = match[3].length() > 0 ? ", " + match[3].str() : "";
            stub += match[1].str() + "// TODO " + match[2].str() + ": " + match[4].str() + "\n";
            todo = match[1].str() + "todo(\"" + match[2].str() + "\"" + arguments + ");\n";
            form = false;
        } else if (opened != 0 && !form && std::regex_match(line, blank)) {
            form = true;
        } else if (std::regex_match(line, end)) {
            if (opened == 0) {
                refuse(number, "'// end' must close a solution");
            }
            stub += form ? "" : todo;
            opened = 0;
        } else if (line.find("// solution") != std::string::npos) {
            refuse(number, "a marker must read '// solution 03.2 (scores): what to write'");
        } else if (opened == 0) {
            stub += line + "\n";
        } else if (form) {
            if (!std::regex_match(line, match, comment)) {
                refuse(number, "every line of a form must be a comment");
            }
            stub += (match[2].matched ? match[1].str() + match[2].str() : "") + "\n";
        }
    }
    if (opened != 0) {
        refuse(opened, "a solution must be closed by '// end'");
    }
    return stub;
}

} // namespace course
