#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace show {

/// A place on a drawing in pixels: x to the right, y downwards.
struct Point {
    double x = 0;
    double y = 0;
};

/// A drawing as the text of an SVG file, for a lesson's page. Classes determine the style; the
/// drawing's own style sheet gives each a colour on white and one on black: `ink`, `faint`, `blue`,
/// `orange`, `green` and those of the palette's roles (lines), `fill-…` (areas of the same
/// colours), `small`, `bold` (text), `thick`, `thin`, `dashed` (lines), `light`, `half` (areas).
class Svg {
public:
    /// title: read first by a screen reader. description: the content, in a sentence.
    Svg(double width, double height, std::string_view title, std::string_view description);

    void line(Point from, Point to, std::string_view classes);
    /// A line with a head at its end.
    void arrow(Point from, Point to, std::string_view classes);
    void rectangle(Point corner, double width, double height, std::string_view classes);
    void circle(Point centre, double radius, std::string_view classes);
    void polyline(const std::vector<Point>& points, std::string_view classes);
    /// The area that the points surround.
    void polygon(const std::vector<Point>& points, std::string_view classes);
    /// anchor: start, middle or end: which part of the text is at x.
    void text(Point at, std::string_view words, std::string_view classes = "ink",
              std::string_view anchor = "start");

    std::string str() const;

private:
    void path(const std::vector<Point>& points, std::string_view element, std::string_view classes);
    std::string head_, body_;
};

/// Where numbers lie on a drawing: a rectangle of it shows [left, right] × [bottom, top].
struct Frame {
    Point corner; // upper left, pixels
    double width = 0, height = 0;
    double left = 0, right = 0, bottom = 0, top = 0;

    Point operator()(double x, double y) const {
        return {corner.x + width * (x - left) / (right - left),
                corner.y + height * (top - y) / (top - bottom)};
    }
};

/// A lesson's picture: the file's name without its ending, and the drawing.
struct Picture {
    std::string name;
    Svg drawing;
};

} // namespace show

namespace lesson {

/// The pictures of a lesson's page, defined in its pictures.cpp.
std::vector<show::Picture> pictures();

/// The folder of that page, for a picture that is drawn from a table kept there.
std::filesystem::path pictures_folder();

} // namespace lesson
