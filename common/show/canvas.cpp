#include "show/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace show {
namespace {

std::size_t last_dot(std::size_t characters, std::size_t dots) {
    return characters * dots - 1;
}

/// Cuts the line to the unit square (Liang and Barsky, 1984); false if nothing is left of it.
bool clip(Place& from, Place& to) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    double start = 0, end = 1;
    // Each edge as: how fast the line leaves it behind, and how far inside it begins.
    const std::array<std::array<double, 2>, 4> edges = {
        {{-dx, from.x}, {dx, 1 - from.x}, {-dy, from.y}, {dy, 1 - from.y}}};
    for (const auto& [speed, inside] : edges) {
        if (speed == 0) {
            if (inside < 0) {
                return false;
            }
        } else if (speed < 0) {
            start = std::max(start, inside / speed);
        } else {
            end = std::min(end, inside / speed);
        }
    }
    to = {from.x + end * dx, from.y + end * dy};
    from = {from.x + start * dx, from.y + start * dy};
    return start <= end;
}

bool is_finite(Place place) {
    return std::isfinite(place.x) && std::isfinite(place.y);
}

std::string utf8_braille(unsigned dots) {
    const unsigned point = 0x2800 + dots;
    return {static_cast<char>(0xE0 | (point >> 12)),
            static_cast<char>(0x80 | ((point >> 6) & 0x3F)),
            static_cast<char>(0x80 | (point & 0x3F))};
}

} // namespace

Canvas::Canvas(std::size_t columns, std::size_t rows, bool braille)
    : columns_(columns), rows_(rows), dots_wide_(braille ? 2 : 1), dots_high_(braille ? 4 : 1),
      spots_(columns * rows) {}

void Canvas::line(Place from, Place to, std::size_t series, const std::string& mark) {
    if (!is_finite(from) || !is_finite(to) || !clip(from, to)) {
        return;
    }
    const double x_dots = static_cast<double>(last_dot(columns_, dots_wide_));
    const double y_dots = static_cast<double>(last_dot(rows_, dots_high_));
    const double steps =
        std::ceil(std::max(std::abs(to.x - from.x) * x_dots, std::abs(to.y - from.y) * y_dots));
    for (double i = 0; i <= steps; ++i) {
        const double part = steps == 0 ? 0 : i / steps;
        dot(from.x + part * (to.x - from.x), from.y + part * (to.y - from.y), series, mark);
    }
}

void Canvas::point(Place at, std::size_t series, const std::string& mark) {
    if (is_finite(at) && at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1) {
        spots_[row_of(at.y) * columns_ + column_of(at.x)] = {0, mark, series};
    }
}

void Canvas::dot(double x, double y, std::size_t series, const std::string& mark) {
    // Bits of U+2800 by dot: the fourth row of dots was added later, hence the order.
    constexpr std::array<std::array<unsigned, 2>, 4> bits = {
        {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    const bool braille = dots_wide_ == 2;
    const auto across = static_cast<std::size_t>(
        std::lround(std::clamp(x, 0.0, 1.0) * static_cast<double>(last_dot(columns_, dots_wide_))));
    const auto down = static_cast<std::size_t>(std::lround(
        (1 - std::clamp(y, 0.0, 1.0)) * static_cast<double>(last_dot(rows_, dots_high_))));
    Spot& spot = spots_[down / dots_high_ * columns_ + across / dots_wide_];
    if (braille && !spot.mark.empty()) {
        return; // a point stays in front of lines
    }
    spot.series = series;
    if (braille) {
        spot.dots |= bits.at(down % 4).at(across % 2);
    } else {
        spot.mark = mark;
    }
}

Canvas::Character Canvas::at(std::size_t column, std::size_t row) const {
    const Spot& spot = spots_[row * columns_ + column];
    if (!spot.series) {
        return {};
    }
    return {spot.mark.empty() ? utf8_braille(spot.dots) : spot.mark, spot.series};
}

std::size_t Canvas::column_of(double x) const {
    return static_cast<std::size_t>(
               std::lround(x * static_cast<double>(last_dot(columns_, dots_wide_)))) /
           dots_wide_;
}

std::size_t Canvas::row_of(double y) const {
    return static_cast<std::size_t>(
               std::lround((1 - y) * static_cast<double>(last_dot(rows_, dots_high_)))) /
           dots_high_;
}

} // namespace show
