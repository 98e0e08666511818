#include "course/explain/diagnostic.hpp"

#include <regex>

#include "course/explain/pattern.hpp"
#include "show/text.hpp"

namespace course {

std::optional<Diagnostic> read_diagnostic(const std::string& line) {
    static const std::regex form(
        R"((.{1,500}?):(\d{1,10}):(\d{1,10}): (?:(fatal error|error|warning|note): )?)");
    std::smatch match;
    if (!std::regex_search(line, match, form, std::regex_constants::match_continuous)) {
        return std::nullopt;
    }
    Diagnostic found{match[1], std::stoul(match[2]), std::stoul(match[3]), match[4],
                     match.suffix()};
    if (found.kind == "fatal error") {
        found.kind = "error";
        found.text.insert(0, "fatal error: ");
    }
    for (const std::string quote : {"‘", "’"}) {
        found.text = replace_all(found.text, quote, "'");
    }
    return found;
}

std::string line_of(const std::string& text, std::size_t number) {
    const std::vector<std::string> lines = show::lines_of(text);
    return number == 0 || number > lines.size() ? "" : lines[number - 1];
}

} // namespace course
