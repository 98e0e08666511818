#include "show/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "show/palette.hpp"
#include "show/text.hpp"

namespace show {
namespace {

// The drawing brings its background, so that it can be read wherever it is put. No variables: not
// every viewer of SVG knows them.
constexpr std::array colours{
    Ink{"paper", "#ffffff", "#0d1117"},  Ink{"ink", "#222222", "#e6edf3"},
    Ink{"faint", "#b4b4b4", "#5a626c"},  Ink{"blue", "#0072b2", "#58b4e9"},
    Ink{"orange", "#d55e00", "#f0904a"}, Ink{"green", "#00805a", "#3fbf8f"},
};

/// The style sheet, with the colours that the drawing uses.
std::string style(const std::string& drawing) {
    std::string on_white, on_black;
    const auto add = [&](const Ink& colour) {
        const auto used = [&](std::string_view before, std::string_view after) {
            return drawing.find(fmt::format("{}{}{}", before, colour.name, after)) !=
                   std::string::npos;
        };
        const auto rules = [&](std::string_view value) {
            return fmt::format(".{0} {{ stroke: {1}; }} text.{0} {{ stroke: none; fill: {1}; }} "
                               ".fill-{0} {{ fill: {1}; }}\n",
                               colour.name, value);
        };
        if (used("class=\"", "\"") || used("class=\"", " ") || used(" ", "\"") ||
            used("fill-", "\"") || used("fill-", " ")) {
            on_white += rules(colour.on_white);
            on_black += rules(colour.on_black);
        }
    };
    std::for_each(colours.begin(), colours.end(), add);
    std::for_each(roles.begin(), roles.end(), add);
    return "<style>\ntext { font: 14px sans-serif; } text.small { font-size: 12px; } "
           "text.bold { font-weight: bold; }\n"
           "line, polyline { fill: none; stroke-width: 1.5; } .thick { stroke-width: 3; } "
           ".thin { stroke-width: 0.7; }\n.dashed { stroke-dasharray: 5 4; } "
           ".light { fill-opacity: 0.25; } .half { fill-opacity: 0.55; }\n" +
           on_white + "@media (prefers-color-scheme: dark) {\n" + on_black + "}\n</style>\n";
}

// A tenth of a pixel is less than an eye sees, and the same on every machine.
std::string pixels(double x) {
    const std::string text = fmt::format("{:.1f}", x);
    return text == "-0.0" ? "0.0" : text;
}

// The class of an arrow's head: the colour of its line, as a filling.
std::string head_of(std::string_view classes) {
    return "fill-" + std::string(classes.substr(0, classes.find(' ')));
}

} // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view description)
    : head_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
          "height=\"{1}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n",
          width, height, escaped(title), escaped(description))) {
    body_ += fmt::format("<rect class=\"fill-paper\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
                         width, height);
}

std::string Svg::str() const {
    return head_ + style(body_) + body_ + "</svg>\n";
}

void Svg::line(Point from, Point to, std::string_view classes) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n",
                         pixels(from.x), pixels(from.y), pixels(to.x), pixels(to.y), classes);
}

void Svg::arrow(Point from, Point to, std::string_view classes) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
    const Point base{to.x - 11 * along.x, to.y - 11 * along.y};
    line(from, base, classes);
    polygon({to,
             {base.x - 4.5 * along.y, base.y + 4.5 * along.x},
             {base.x + 4.5 * along.y, base.y - 4.5 * along.x}},
            head_of(classes));
}

void Svg::rectangle(Point corner, double width, double height, std::string_view classes) {
    body_ +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"/>\n",
                    pixels(corner.x), pixels(corner.y), pixels(width), pixels(height), classes);
}

void Svg::circle(Point centre, double radius, std::string_view classes) {
    body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"/>\n", pixels(centre.x),
                         pixels(centre.y), pixels(radius), classes);
}

void Svg::path(const std::vector<Point>& points, std::string_view element,
               std::string_view classes) {
    body_ += fmt::format("<{} points=\"", element);
    for (const Point& point : points) {
        body_ += pixels(point.x) + "," + pixels(point.y) + " ";
    }
    body_.back() = '"';
    body_ += fmt::format(" class=\"{}\"/>\n", classes);
}

void Svg::polyline(const std::vector<Point>& points, std::string_view classes) {
    path(points, "polyline", classes);
}

void Svg::polygon(const std::vector<Point>& points, std::string_view classes) {
    path(points, "polygon", classes);
}

void Svg::text(Point at, std::string_view words, std::string_view classes,
               std::string_view anchor) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n",
                         pixels(at.x), pixels(at.y), classes, anchor, escaped(words));
}

} // namespace show
