#pragma once

#include "show/grid.hpp"
#include "show/terminal.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace show {

struct MatrixOptions {
    std::string title = {};
    std::vector<std::string> row_labels = {};    // none, or one a row
    std::vector<std::string> column_labels = {}; // none, or one a column
    std::optional<std::size_t> decimals = {};    // default: as many as 4 significant digits need
};

/// Prints a matrix, or a vector as one row, under its title and shape. Points are aligned. More
/// than 12 rows, or columns that do not fit the width, are cut to the first 6 … last 2 (or fewer
/// columns). Throws std::invalid_argument if labels do not match the shape.
void matrix(std::ostream& out, const Grid& values, const MatrixOptions& options = {},
            const Terminal& terminal = show::terminal());

} // namespace show
