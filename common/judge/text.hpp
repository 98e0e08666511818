#pragma once

// Values as text, for verdicts: small arrays whole, large ones around the element that matters.

#include <string>
#include <vector>

#include "judge/compare.hpp"
#include "show/beside.hpp"
#include "show/text.hpp"

namespace judge {

using show::beside;
using show::printable;
using show::wrap;

/// Lines of text that belong side by side with others.
using Block = std::vector<std::string>;

/// A value under its name and shape. mark: the element to put in brackets; a shorter index only
/// picks which slice of an array of rank 3 or more is shown. digits: significant ones.
Block block(const std::string& name, const Value& value, const std::vector<std::size_t>& mark = {},
            int digits = 6);

/// As short as it can be: "4", "0.264458", "1e+300", "nan", "-inf".
std::string number_text(double number, int digits = 6);

/// A whole number in a text, and the text between it and the one before it.
struct NumberInText {
    std::size_t value;
    std::string before;
};
std::vector<NumberInText> whole_numbers_in(const std::string& text);

/// Whether a value is neither an array, a list nor a struct.
bool is_scalar(const Value& value);

/// A scalar: "0.5", "true", "\"text\"", "none".
std::string scalar_text(const Value& value);

} // namespace judge
