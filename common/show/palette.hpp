#pragma once

#include "show/terminal.hpp"

#include <array>
#include <string>
#include <string_view>

namespace show {

/// A colour of the pages, on white and on black.
struct Ink {
    std::string_view name, on_white, on_black;
};

/// What attention is made of has the same colours in figures, formulas (book/page/style.css),
/// pictures and plots. Any two differ in lightness or hue for colour-blind readers, too.
inline constexpr std::array roles{
    Ink{"q", "#0846aa", "#80b0ff"},        Ink{"k", "#732701", "#fdcb9c"},
    Ink{"v", "#0a7a5c", "#40a060"},        Ink{"scores", "#816000", "#c2ae1a"},
    Ink{"unscaled", "#816000", "#c2ae1a"}, Ink{"scaled", "#074a48", "#75f5fe"},
    Ink{"weights", "#92037a", "#e385a9"},  Ink{"output", "#7555d5", "#a676ff"},
};

/// The colour on white of a role; of another name, grey.
constexpr std::string_view colour_of(std::string_view name) {
    for (const Ink& role : roles) {
        if (role.name == name) {
            return role.on_white;
        }
    }
    return "#666666";
}

/// The text on viridis's colour at `level` in [0, 1], black or white, whichever can be read there.
/// The unchanged text if the terminal has no colours.
std::string on_level(std::string_view text, double level, const Terminal& terminal);

/// The character of " .:-=+*#%@" at `level` in [0, 1].
char shade(double level);

} // namespace show
