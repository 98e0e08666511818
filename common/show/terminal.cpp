#include "show/terminal.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace show {
namespace {

constexpr std::array watched = {"NO_COLOR", "TERM",     "COLORTERM", "COLUMNS",
                                "LC_ALL",   "LC_CTYPE", "LANG"};

std::string value_of(const Environment& environment, const char* name) {
    const auto found = environment.variables.find(name);
    return found == environment.variables.end() ? "" : found->second;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

Colours colours_of(const Environment& environment) {
    const std::string term = value_of(environment, "TERM");
    if (!environment.is_terminal || !value_of(environment, "NO_COLOR").empty() || term.empty() ||
        term == "dumb") {
        return Colours::none;
    }
    const std::string colorterm = lower(value_of(environment, "COLORTERM"));
    if (colorterm == "truecolor" || colorterm == "24bit" || term.ends_with("-direct")) {
        return Colours::true_colour;
    }
    // A bare TERM=xterm is common in containers and some ssh clients; terminals of that name have
    // had 256 colours for decades.
    const bool many = term.find("256color") != std::string::npos || term.starts_with("xterm");
    return many ? Colours::ansi256 : Colours::none;
}

bool is_utf8(const Environment& environment) {
    // The kernel's own console decodes UTF-8 but has no glyphs for braille and eighth blocks.
    if (environment.is_terminal && value_of(environment, "TERM") == "linux") {
        return false;
    }
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string locale = lower(value_of(environment, name));
        if (!locale.empty()) {
            return locale.find("utf-8") != std::string::npos ||
                   locale.find("utf8") != std::string::npos;
        }
    }
    return false;
}

std::size_t width_of(const Environment& environment) {
    if (environment.is_terminal && environment.window_columns > 0) {
        return environment.window_columns;
    }
    std::size_t columns = 0;
    const std::string text = value_of(environment, "COLUMNS");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    const bool whole = error == std::errc{} && end == text.data() + text.size() && columns > 0;
    return environment.is_terminal && whole ? columns : Terminal{}.width;
}

std::string styled(std::string_view text, const std::string& on, const char* off,
                   const Terminal& terminal) {
    if (terminal.colours == Colours::none || text.empty()) {
        return std::string(text);
    }
    return "\x1b[" + on + "m" + std::string(text) + "\x1b[" + off + "m";
}

} // namespace

Terminal detect(const Environment& environment) {
    return {colours_of(environment), is_utf8(environment), width_of(environment)};
}

Terminal detect(std::FILE* stream) {
    Environment environment;
    const int descriptor = fileno(stream);
    environment.is_terminal = isatty(descriptor) == 1;
    winsize window{};
    if (environment.is_terminal && ioctl(descriptor, TIOCGWINSZ, &window) == 0) {
        environment.window_columns = window.ws_col;
    }
    for (const char* name : watched) {
        if (const char* value = std::getenv(name)) {
            environment.variables[name] = value;
        }
    }
    return detect(environment);
}

const Terminal& terminal() {
    static const Terminal stdout_terminal = detect(stdout);
    return stdout_terminal;
}

std::string bold(std::string_view text, const Terminal& terminal) {
    return styled(text, "1", "22", terminal);
}

std::string dim(std::string_view text, const Terminal& terminal) {
    return styled(text, "2", "22", terminal);
}

std::string coloured(std::string_view text, Colour colour, const Terminal& terminal) {
    // In the order of Colour. Okabe and Ito's colours, which colour-blind readers can distinguish,
    // moved to the nearest of the 256; true-colour terminals have those too.
    constexpr std::array codes = {32, 166, 36, 175, 178, 74, 160, 245};
    return styled(text, "38;5;" + std::to_string(codes.at(static_cast<std::size_t>(colour))), "39",
                  terminal);
}

} // namespace show
