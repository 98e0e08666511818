#include "course/page.hpp"

#include <regex>
#include <sstream>

#include "show/text.hpp"

namespace course {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of('\n');
    return begin == std::string::npos
               ? ""
               : text.substr(begin, text.find_last_not_of("\n ") - begin + 1);
}

} // namespace

std::vector<std::string> hints_of(const std::string& page, const std::string& exercise) {
    std::vector<std::string> hints;
    bool here = false;
    bool inside = false;
    std::string hint;
    for (const std::string& line : show::lines_of(page)) {
        if (line.starts_with("## ")) {
            here = line.starts_with("## " + exercise + " ");
            inside = false;
        } else if (here && line == "<details>") {
            inside = true;
            hint.clear();
        } else if (inside && line == "</details>") {
            inside = false;
            hints.push_back(trimmed(hint));
        } else if (inside && !line.starts_with("<summary>") && !line.starts_with("```")) {
            hint += line + "\n";
        }
    }
    return hints;
}

std::vector<QuotedOutput> quoted_outputs(const std::string& page) {
    static const std::regex comment("<!-- output of: (.+) -->");
    std::vector<QuotedOutput> quotes;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, comment)) {
            continue;
        }
        QuotedOutput quote{match[1], ""};
        std::getline(lines, line); // the opening fence
        while (std::getline(lines, line) && line != "```") {
            quote.text += line + "\n";
        }
        quotes.push_back(quote);
    }
    return quotes;
}

} // namespace course
