#include "common/show/screens.hpp"
#include "show/terminal.hpp"

#include <doctest/doctest.h>

using show::Colour;
using show::Colours;
using show::detect;
using show::Environment;

namespace {

using Variables = std::map<std::string, std::string>;

Environment window(Variables variables, std::size_t columns = 0) {
    return {.is_terminal = true, .window_columns = columns, .variables = std::move(variables)};
}

Colours colours(Variables variables) {
    return detect(window(std::move(variables))).colours;
}

bool has_unicode(Variables variables) {
    return detect(window(std::move(variables))).unicode;
}

} // namespace

TEST_CASE("terminal: TERM and COLORTERM decide how many colours there are") {
    CHECK(colours({{"TERM", "xterm-256color"}}) == Colours::ansi256);
    CHECK(colours({{"TERM", "tmux-256color"}}) == Colours::ansi256);
    CHECK(colours({{"TERM", "xterm"}}) == Colours::ansi256);
    CHECK(colours({{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}}) ==
          Colours::true_colour);
    CHECK(colours({{"TERM", "screen"}, {"COLORTERM", "24bit"}}) == Colours::true_colour);
    CHECK(colours({{"TERM", "xterm-direct"}}) == Colours::true_colour);
    CHECK(colours({{"TERM", "vt100"}}) == Colours::none);
    CHECK(colours({{"TERM", "dumb"}, {"COLORTERM", "truecolor"}}) == Colours::none);
    CHECK(colours({}) == Colours::none);
}

TEST_CASE("terminal: NO_COLOR turns colours off unless it is empty") {
    CHECK(colours({{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}}) == Colours::none);
    CHECK(colours({{"TERM", "xterm-256color"}, {"NO_COLOR", ""}}) == Colours::ansi256);
}

TEST_CASE("terminal: a pipe has no colours and 80 columns whatever the variables say") {
    const Environment pipe{.is_terminal = false,
                           .window_columns = 0,
                           .variables = {{"TERM", "xterm-256color"},
                                         {"COLORTERM", "truecolor"},
                                         {"COLUMNS", "200"},
                                         {"LANG", "fr_FR.UTF-8"}}};
    CHECK(detect(pipe).colours == Colours::none);
    CHECK(detect(pipe).width == 80);
    CHECK(detect(pipe).unicode);
}

TEST_CASE("terminal: the first locale variable that is not empty decides about unicode") {
    CHECK(has_unicode({{"LANG", "en_US.UTF-8"}}));
    CHECK(has_unicode({{"LANG", "C.utf8"}}));
    CHECK(has_unicode({{"LC_ALL", ""}, {"LC_CTYPE", "UTF-8"}, {"LANG", "C"}}));
    CHECK_FALSE(has_unicode({{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}}));
    CHECK_FALSE(has_unicode({{"LC_CTYPE", "de_DE.ISO-8859-1"}, {"LANG", "en_US.UTF-8"}}));
    CHECK_FALSE(has_unicode({}));
}

TEST_CASE("terminal: width comes from the window, then COLUMNS, then is 80") {
    CHECK(detect(window({{"COLUMNS", "120"}}, 200)).width == 200);
    CHECK(detect(window({{"COLUMNS", "120"}})).width == 120);
    CHECK(detect(window({})).width == 80);
    for (const char* bad : {"", "0", "-5", "wide", "12x"}) {
        CAPTURE(bad);
        CHECK(detect(window({{"COLUMNS", bad}})).width == 80);
    }
}

TEST_CASE("terminal: styles are escape codes with colours and the bare text without") {
    CHECK(show::bold("a", true_colour) == "\x1b[1ma\x1b[22m");
    CHECK(show::dim("a", ansi256) == "\x1b[2ma\x1b[22m");
    CHECK(show::coloured("a", Colour::red, ansi256) == "\x1b[38;5;160ma\x1b[39m");
    CHECK(show::bold("a", unicode) == "a");
    CHECK(show::dim("a", ascii) == "a");
    CHECK(show::coloured("a", Colour::green, unicode) == "a");
    CHECK(show::bold("", true_colour).empty());
}
