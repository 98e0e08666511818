#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace show {

/// A place on a canvas: x from left 0 to right 1, y from bottom 0 to top 1.
struct Place {
    double x = 0;
    double y = 0;
};

/// Characters to draw curves on. In braille a character has 2 × 4 dots, which take the colour of
/// the series that came last; otherwise it has one mark.
class Canvas {
public:
    Canvas(std::size_t columns, std::size_t rows, bool braille);

    /// A straight line, cut at the edges. A line from or to NaN is not drawn.
    void line(Place from, Place to, std::size_t series, const std::string& mark);

    /// A mark that covers a whole character. Nothing outside the edges, or at NaN.
    void point(Place at, std::size_t series, const std::string& mark);

    struct Character {
        std::string text = " ";
        std::optional<std::size_t> series = {}; // none: nothing drawn here
    };
    Character at(std::size_t column, std::size_t row) const;

    std::size_t columns() const { return columns_; }
    std::size_t rows() const { return rows_; }

    /// The character at a place between 0 and 1.
    std::size_t column_of(double x) const;
    std::size_t row_of(double y) const;

private:
    struct Spot {
        unsigned dots = 0;
        std::string mark = {};
        std::optional<std::size_t> series = {};
    };
    void dot(double x, double y, std::size_t series, const std::string& mark);

    std::size_t columns_, rows_;
    std::size_t dots_wide_, dots_high_; // of one character
    std::vector<Spot> spots_;           // row by row
};

} // namespace show
