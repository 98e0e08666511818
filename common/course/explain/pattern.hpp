#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace course {

/// What $1, $2 and $3 stand for, in the text that was searched.
using Names = std::array<std::string_view, 3>;

/// Where in a text a pattern was found: from begin to just before end.
struct Found {
    std::size_t begin = 0;
    std::size_t end = 0;
    Names names;
};

/// Looks for a pattern in a text: $1 and $2 stand for a name ("scores", "xt::sum"), $3 also for a
/// file's ("a/b.hpp"), the same each time; … stands for anything, and the rest for itself. The time
/// it takes is proportional to the text, however long its words are.
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
