#pragma once

// What the terminal can show, and text styles that become plain text if it cannot show them.

#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace show {

enum class Colours { none, ansi256, true_colour };

/// The terminal to draw for. By default a pipe or a file: no colours, ASCII, 80 columns.
struct Terminal {
    Colours colours = Colours::none;
    bool unicode = false;
    std::size_t width = 80; // columns
};

/// The facts that determine what a terminal can show, so that tests need neither a terminal nor
/// setenv.
struct Environment {
    bool is_terminal = false;
    std::size_t window_columns = 0;               // as the kernel knows it, 0 if it does not
    std::map<std::string, std::string> variables; // NO_COLOR, TERM, COLORTERM, LC_ALL, …
};

/// Colours only on a terminal, never with NO_COLOR (non-empty) or TERM=dumb. Unicode where the
/// locale is UTF-8 (the first of LC_ALL, LC_CTYPE, LANG that is not empty). Width from the window,
/// then COLUMNS, then 80; always 80 when piped, so that the output on the pages is the same for
/// everyone.
Terminal detect(const Environment& environment);

/// The same for an open stream, from the process's own environment.
Terminal detect(std::FILE* stream);

/// The terminal behind stdout, detected at the first call.
const Terminal& terminal();

/// Colours of text and curves, all of a lightness that can be read on dark and on light
/// backgrounds.
enum class Colour { blue, orange, green, pink, yellow, sky, red, grey };

/// The text with a style around it; the text itself where the terminal has no colours. Styles nest.
std::string bold(std::string_view text, const Terminal& terminal = show::terminal());
std::string dim(std::string_view text, const Terminal& terminal = show::terminal());
std::string coloured(std::string_view text, Colour colour,
                     const Terminal& terminal = show::terminal());

} // namespace show
