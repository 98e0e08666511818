#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace course {

/// The names for $1, $2 and $3, as views of the text that was searched.
using Names = std::array<std::string_view, 3>;

/// The place in a text where a pattern was found: from begin to just before end.
struct Found {
    std::size_t begin = 0;
    std::size_t end = 0;
    Names names;
};

/// Looks for a pattern in a text: $1 and $2 match a name ("scores", "xt::sum"), $3 also a file's
/// ("a/b.hpp"), the same each time; … matches anything, and the rest itself. The time is
/// proportional to the text.
std::optional<Found> look_for(std::string_view pattern, std::string_view text,
                              const Names& known = {});

/// The text with $1, $2 and $3 replaced by their names.
std::string fill_in(std::string text, const Names& names);

/// The text with every place that matches the pattern replaced.
std::string replace_all(const std::string& text, std::string_view pattern, const std::string& by);

/// The text, cut after so many bytes.
std::string shortened(const std::string& text, std::size_t most);

bool is_name_character(char c);

} // namespace course
