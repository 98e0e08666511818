#pragma once

#include <optional>
#include <string>

namespace course {

/// A compiler's line such as "1_softmax.cpp:9:4: error: expected ';'". Quotes are plain.
struct Diagnostic {
    std::string file;
    std::size_t line = 0;
    std::size_t column = 0;
    std::string kind; // error, warning, note; "" for a place alone
    std::string text;
};

/// Reads such a line; nothing if it is another.
std::optional<Diagnostic> read_diagnostic(const std::string& line);

/// A line of a text, counted from 1; "" beyond its end.
std::string line_of(const std::string& text, std::size_t number);

} // namespace course
