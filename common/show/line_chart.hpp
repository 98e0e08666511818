#pragma once

#include "show/numbers.hpp"
#include "show/terminal.hpp"

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace show {

/// One curve. x and y are equally long; a pair that is not finite is a gap in the line.
struct Series {
    std::string name = {}; // for the legend; none: not in it
    std::vector<double> x = {};
    std::vector<double> y = {};
    bool points = false; // marks at the points instead of a line through them
};

struct LineChartOptions {
    std::string title = {};
    std::string x_label = {};
    std::string y_label = {};
    bool log_x = false; // log10 axes; numbers that are not positive are a gap there
    bool log_y = false;
    std::optional<Range> y_range = {}; // default: that of the data, widened to round numbers
    std::size_t height = 16;           // rows of the plot itself at most
};

/// Draws curves on common axes, at most 100 columns wide: in braille dots with unicode, else in one
/// character a series. Without colours, several series are always drawn in characters, because dots
/// would look the same.
/// Throws std::invalid_argument if x and y differ in length.
void line_chart(std::ostream& out, const std::vector<Series>& series,
                const LineChartOptions& options = {}, const Terminal& terminal = show::terminal());

} // namespace show
