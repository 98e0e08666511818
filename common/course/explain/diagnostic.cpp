#include "course/explain/diagnostic.hpp"

#include <charconv>

#include "course/explain/pattern.hpp"
#include "show/text.hpp"

namespace course {

namespace {

/// ‘name’ as 'name'.
std::string with_plain_quotes(std::string text) {
    for (const std::string quote : {"‘", "’"}) {
        text = replace_all(text, quote, "'");
    }
    return text;
}

/// Reads ":12" at a place, and moves the place behind it; 0 if there is none.
std::size_t read_number(const std::string& text, std::size_t& at) {
    std::size_t number = 0;
    if (at < text.size() && text[at] == ':') {
        const char* const begin = text.data() + at + 1;
        at += 1 + static_cast<std::size_t>(
                      std::from_chars(begin, text.data() + text.size(), number).ptr - begin);
    }
    return number;
}

} // namespace

std::optional<Diagnostic> read_diagnostic(const std::string& line) {
    Diagnostic found;
    for (std::size_t colon = line.find(':'); colon != std::string::npos;
         colon = line.find(':', colon + 1)) {
        std::size_t at = colon;
        found.file = line.substr(0, colon);
        found.line = read_number(line, at);
        found.column = found.line > 0 ? read_number(line, at) : 0;
        if (found.column > 0 && line.compare(at, 2, ": ") == 0) {
            found.text = line.substr(at + 2);
            break;
        }
        if (colon > 1000) { // no path
            return std::nullopt;
        }
    }
    if (found.column == 0) {
        return std::nullopt;
    }
    for (const std::string kind : {"fatal error", "error", "warning", "note"}) {
        if (found.text.starts_with(kind + ": ")) {
            found.kind = kind == "fatal error" ? "error" : kind;
            found.text.erase(0, kind == "fatal error" ? 0 : kind.size() + 2);
        }
    }
    found.text = with_plain_quotes(found.text);
    return found;
}

std::string line_of(const std::string& text, std::size_t number) {
    const std::vector<std::string> lines = show::lines_of(text);
    return number == 0 || number > lines.size() ? "" : lines[number - 1];
}

} // namespace course
