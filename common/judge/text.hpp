#pragma once

// Values as text, for verdicts: small arrays whole, large ones around the element that matters.

#include <string>
#include <vector>

#include "judge/compare.hpp"

namespace judge {

/// Lines of text that belong side by side with others.
using Block = std::vector<std::string>;

/// A value under its name and shape. mark: the element to put in brackets; a shorter index only
/// picks which slice of an array of rank 3 or more is shown. digits: significant ones.
Block block(const std::string& name, const Value& value, const std::vector<std::size_t>& mark = {},
            int digits = 6);

/// Blocks next to one another, or below where they would not fit into width columns.
Block beside(const std::vector<Block>& blocks, std::size_t width = 72);

/// As short as it can be: "4", "0.264458", "1e+300", "nan", "-inf".
std::string number_text(double number, int digits = 6);

/// Whether a value is neither an array, a list nor a struct.
bool is_scalar(const Value& value);

/// A scalar: "0.5", "true", "\"text\"", "none".
std::string scalar_text(const Value& value);

/// A text without control characters, which would play with the terminal.
std::string printable(const std::string& text);

/// Breaks a paragraph at spaces; every line starts with indent.
Block wrap(const std::string& paragraph, const std::string& indent, std::size_t width = 76);

/// Columns that a UTF-8 text takes, counting code points and leaving out combining marks.
std::size_t text_width(const std::string& text);

} // namespace judge
