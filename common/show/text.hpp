#pragma once

// Text by the columns it takes on a screen. A code point takes one column; combining marks (U+0300
// to U+036F) and joiners take none; East Asian wide characters and emoji take two. Not handled:
// emoji that join several code points, right-to-left text, and characters of ambiguous width
// (counted as one).

#include "show/terminal.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace show {

/// Columns that the text takes. Colour escapes take none; a byte that is not UTF-8 takes one.
std::size_t display_width(std::string_view text);

/// The text as a label: what is_control_or_direction (a newline, an escape) becomes '?', and text
/// beyond `width` columns is cut, with "…" ('~' in ASCII) in the last column.
std::string fit(std::string_view text, std::size_t width, const Terminal& terminal);

struct CodePoint {
    char32_t value;
    std::size_t bytes;
};

/// The code point at the start of a text that is not empty; a byte that starts none counts as
/// U+FFFD.
CodePoint first_code_point(std::string_view text);

/// Whether a terminal or a screen reader would obey it instead of showing it, or show nothing:
/// control characters, ends of lines (U+2028, U+2029), marks that turn the direction of writing,
/// tags, annotations, and non-characters.
bool is_control_or_direction(char32_t point);

/// The text in a form that is safe for any terminal: bytes that are not UTF-8 become U+FFFD, and
/// everything that is_control_or_direction, except tabs, is removed.
std::string printable(std::string_view text);

/// The text as HTML and XML have it, between their tags and in the quotes of an attribute.
std::string escaped(std::string_view text);

/// Breaks a paragraph at spaces into lines of `width` columns, each after the indent.
std::vector<std::string> wrap(const std::string& paragraph, const std::string& indent,
                              std::size_t width = 76);

/// The text moved right, left or to the middle of a field of `width` columns. Longer text is kept.
std::string right_aligned(std::string_view text, std::size_t width);
std::string left_aligned(std::string_view text, std::size_t width);
std::string centred(std::string_view text, std::size_t width);

/// The text's characters one by one, each with the combining marks that follow it.
std::vector<std::string> characters(std::string_view text);

/// The lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text);

/// The text `count` times.
std::string repeated(std::string_view text, std::size_t count);

/// Writes one line, without the spaces at its end.
void write_line(std::ostream& out, std::string line);

/// Writes "title (2, 3)": the title in bold, the note after it dimmed. Nothing if both are empty.
void write_title(std::ostream& out, std::string_view title, std::string_view note,
                 const Terminal& terminal);

/// The widest of the labels, in columns.
std::size_t widest(const std::vector<std::string>& labels);

} // namespace show
