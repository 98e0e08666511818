#include "course/page.hpp"

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

std::vector<std::string> wrapped_lines(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    for (const std::string& line : show::lines_of(text)) {
        const auto parts = line.size() < width ? std::vector{line} : show::wrap(line, "", width);
        lines.insert(lines.end(), parts.begin(), parts.end());
    }
    return lines;
}

} // namespace course
