#pragma once

#include "show/terminal.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace show {

/// The text on viridis's colour at `level` in [0, 1], black or white, whichever can be read there.
/// The text itself where the terminal has no colours.
std::string on_level(std::string_view text, double level, const Terminal& terminal);

/// One column that shows two levels, one above the other; where there is none, the background.
/// Only for terminals with colours and unicode.
std::string half_blocks(std::optional<double> top, std::optional<double> bottom,
                        const Terminal& terminal);

/// The character of " .:-=+*#%@" at `level` in [0, 1].
char shade(double level);

} // namespace show
