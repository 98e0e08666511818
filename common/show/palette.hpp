#pragma once

#include "show/terminal.hpp"

#include <string>
#include <string_view>

namespace show {

/// The text on viridis's colour at `level` in [0, 1], black or white, whichever can be read there.
/// The unchanged text if the terminal has no colours.
std::string on_level(std::string_view text, double level, const Terminal& terminal);

/// The character of " .:-=+*#%@" at `level` in [0, 1].
char shade(double level);

} // namespace show
