#include "course/page.hpp"

#include <algorithm>
#include <map>

#include "show/text.hpp"

namespace course {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of('\n');
    return begin == std::string::npos
               ? ""
               : text.substr(begin, text.find_last_not_of("\n ") - begin + 1);
}

/// A formula's commands as signs, and what is in braces without them: "\sqrt{d_k}" → "√d_k". For
/// what our hints and titles use; braces in braces are not among it.
std::string plain_formula(const std::string& formula) {
    const char* const letters = "abcdefghijklmnopqrstuvwxyz";
    static const std::map<std::string, std::string> signs{
        {"cdot", "·"}, {"infty", "∞"}, {"ldots", "…"}, {"omega", "ω"},
        {"sqrt", "√"}, {"text", ""},   {"top", "T"}};
    std::string plain;
    for (std::size_t at = 0; at < formula.size(); ++at) {
        if (formula[at] == '\\') {
            const std::size_t end = formula.find_first_not_of(letters, at + 1);
            const std::string name = formula.substr(at + 1, end - at - 1);
            plain += signs.contains(name) ? signs.at(name) : name;
            at += name.size();
        } else if (formula[at] == '{') {
            const std::size_t end = std::min(formula.find('}', at), formula.size());
            const std::string inside = plain_formula(formula.substr(at + 1, end - at - 1));
            plain += inside.find(' ') == std::string::npos ? inside : "(" + inside + ")";
            at = end;
        } else {
            plain += formula[at];
        }
    }
    return plain;
}

} // namespace

std::string without_math(const std::string& line) {
    std::string plain;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = line.find('$', done)) != std::string::npos;) {
        const std::size_t end = std::min(line.find('$', at + 1), line.size());
        plain += line.substr(done, at - done) + plain_formula(line.substr(at + 1, end - at - 1));
        done = std::min(end + 1, line.size());
    }
    return plain + line.substr(done);
}

std::vector<std::string> hints_of(const std::string& page, const std::string& exercise) {
    std::vector<std::string> hints;
    bool here = false;
    bool inside = false;
    bool code = false;
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
        } else if (inside && line.starts_with("```")) {
            code = !code;
        } else if (inside && !line.starts_with("<summary>")) {
            hint += (code ? line : without_math(line)) + "\n";
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
