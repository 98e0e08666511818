#pragma once

// How a heatmap is laid out before it is drawn: inner to heatmap.cpp.

#include "show/heatmap.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace show {

/// −∞: a score that a mask has blocked.
bool is_blocked(double value);

/// Means over blocks of `side` × `side`; blocked values do not count, and the mean of none is −∞.
attention::Matrix block_means(const Grid& grid, std::size_t side);

struct HeatmapLayout {
    std::vector<std::string> row_labels;
    std::vector<std::string> column_labels;
    std::size_t gutter = 0;     // columns left of the cells
    std::size_t cell = 2;       // columns of a cell
    std::size_t number = 0;     // of them for the number, 0: cells without numbers
    bool two_rows_line = false; // a line of half blocks shows two rows of cells
    NumberFormat format;
    Range range;
};

/// The largest cells that fit: as wide as the column labels, as the numbers, two columns, one, half
/// one.
HeatmapLayout plan_heatmap(const Grid& grid, const HeatmapOptions& options,
                           const Terminal& terminal);

} // namespace show
