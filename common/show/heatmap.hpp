#pragma once

#include "show/grid.hpp"
#include "show/numbers.hpp"
#include "show/terminal.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace show {

struct HeatmapOptions {
    std::string title = {};
    std::vector<std::string> row_labels = {};    // none, or one a row
    std::vector<std::string> column_labels = {}; // none, or one a column; upright where too long
    std::optional<Range> range = {};             // of the colours; default: of the finite values
    std::optional<std::size_t> decimals = {};    // default: as many as 3 significant digits need
    bool numbers = true;                         // in the cells, where they fit the width
    std::string blocked = "blocked";             // what the legend calls −∞
    std::vector<Cell> marked = {};               // in brackets; without numbers only
};

/// Draws a matrix as cells of viridis's colours (shading characters without colours), with a
/// legend. −∞, as in blocked scores, is drawn as "·" ("x" in ASCII), NaN as "nan", or "?" in narrow
/// cells; +∞ and what lies outside the range take the colour of its end. Throws
/// std::invalid_argument if labels do not match the shape.
void heatmap(std::ostream& out, const Grid& values, const HeatmapOptions& options = {},
             const Terminal& terminal = show::terminal());

} // namespace show
