#include "show/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace show {
namespace {

struct Rgb {
    double red, green, blue; // 0…255
};

/// Viridis (van der Walt and Smith, 2015) at 0, 0.1, … 1: even steps of lightness, and readable for
/// the colour-blind.
constexpr std::array viridis = {Rgb{68, 1, 84},    Rgb{72, 36, 117},  Rgb{65, 68, 135},
                                Rgb{53, 95, 141},  Rgb{42, 120, 142}, Rgb{33, 145, 140},
                                Rgb{34, 168, 132}, Rgb{68, 191, 112}, Rgb{122, 209, 81},
                                Rgb{189, 223, 38}, Rgb{253, 231, 37}};

/// The nearest of the 256 that keep lightness rising in even steps (L* 21, 28, 38, 51, 64, 77, 92,
/// 97); the nearest in distance alone would fall back in lightness twice.
constexpr std::array viridis_256 = {53, 55, 24, 30, 36, 77, 154, 227};
constexpr std::size_t first_light_256 = 4;

Rgb colour_at(double level) {
    const double place = level * static_cast<double>(viridis.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
    const double part = place - static_cast<double>(below);
    const auto mix = [part](double from, double to) {
        return std::round(from + part * (to - from));
    };
    const Rgb &from = viridis.at(below), &to = viridis.at(below + 1);
    return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

/// Relative luminance as in WCAG 2; above 0.18, black has the better contrast.
bool is_light(const Rgb& colour) {
    const auto linear = [](double part) { return std::pow(part / 255, 2.2); };
    return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) +
               0.0722 * linear(colour.blue) >
           0.18;
}

constexpr int black = 16, white = 231; // of the 256

struct Paint {
    std::string code; // what follows 38; (text) or 48; (background) in an escape
    bool is_light;
};

Paint paint_at(double level, const Terminal& terminal) {
    if (terminal.colours == Colours::true_colour) {
        const Rgb colour = colour_at(level);
        return {fmt::format("2;{};{};{}", colour.red, colour.green, colour.blue), is_light(colour)};
    }
    const double bins = static_cast<double>(viridis_256.size());
    const auto bin = static_cast<std::size_t>(std::min(level * bins, bins - 1));
    return {fmt::format("5;{}", viridis_256.at(bin)), bin >= first_light_256};
}

} // namespace

std::string on_level(std::string_view text, double level, const Terminal& terminal) {
    if (terminal.colours == Colours::none) {
        return std::string(text);
    }
    const Paint paint = paint_at(level, terminal);
    return fmt::format("\x1b[38;5;{};48;{}m{}\x1b[39;49m", paint.is_light ? black : white,
                       paint.code, text);
}

char shade(double level) {
    constexpr std::string_view shades = " .:-=+*#%@";
    const auto steps = static_cast<double>(shades.size());
    return shades.at(static_cast<std::size_t>(std::clamp(level * steps, 0.0, steps - 1)));
}

} // namespace show
