#pragma once

// What surrounds the curves of a line chart: inner to line_chart.cpp. `gutter` counts the columns
// left of the vertical axis.

#include "show/axis.hpp"
#include "show/canvas.hpp"
#include "show/line_chart.hpp"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace show {

/// How one series looks: its mark where it is drawn in characters, and its colour.
struct Look {
    std::string mark;
    Colour colour;
};
Look look_of(std::size_t series, bool braille);

/// The canvas, with the vertical axis and its labels left of it.
void write_plot(std::ostream& out, const Canvas& canvas, const Axis& y, std::size_t gutter,
                bool braille, const Terminal& terminal);

/// The horizontal axis and its labels.
void write_x_axis(std::ostream& out, const Canvas& canvas, const Axis& x, std::size_t gutter,
                  const Terminal& terminal);

/// The names of the series that have one, on as many lines as they need.
void write_legend(std::ostream& out, const std::vector<Series>& series, std::size_t gutter,
                  std::size_t width, bool braille, const Terminal& terminal);

} // namespace show
