#include "show/heatmap_layout.hpp"

#include "show/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace show {
namespace {

constexpr std::size_t widest_row_label = 20;
constexpr std::size_t narrowest_row_label = 3;
constexpr std::size_t longest_column_label = 12;
constexpr std::size_t widest_cell = 14;
constexpr std::size_t rows_worth_halving = 24;

std::vector<std::string> fitted(const std::vector<std::string>& labels, std::size_t width,
                                const Terminal& terminal) {
    std::vector<std::string> result;
    for (const std::string& label : labels) {
        result.push_back(fit(label, width, terminal));
    }
    return result;
}

/// Columns for row labels: what a heatmap of the narrowest cells leaves of the width.
std::size_t room_for_labels(const Grid& grid, const Terminal& terminal) {
    const std::size_t used = grid.columns() + 1;
    const std::size_t room = terminal.width > used ? terminal.width - used : 0;
    return room < narrowest_row_label ? 0 : std::min(room, widest_row_label);
}

std::size_t number_width(const Grid& grid, const NumberFormat& format, const Terminal& terminal) {
    std::size_t width = 1;
    for (const double value : grid.values()) {
        if (!is_blocked(value)) {
            width = std::max(width, display_width(number(value, format, terminal)));
        }
    }
    return width;
}

} // namespace

bool is_blocked(double value) {
    return std::isinf(value) && value < 0;
}

attention::Matrix block_means(const Grid& grid, std::size_t side) {
    const auto blocks = [side](std::size_t count) { return (count + side - 1) / side; };
    attention::Matrix means({blocks(grid.rows()), blocks(grid.columns())});
    for (std::size_t i = 0; i < means.shape(0); ++i) {
        for (std::size_t j = 0; j < means.shape(1); ++j) {
            double sum = 0, count = 0;
            for (std::size_t r = i * side; r < std::min(grid.rows(), (i + 1) * side); ++r) {
                for (std::size_t c = j * side; c < std::min(grid.columns(), (j + 1) * side); ++c) {
                    const bool counts = !is_blocked(grid(r, c));
                    sum += counts ? grid(r, c) : 0;
                    count += counts ? 1 : 0;
                }
            }
            means(i, j) = count > 0 ? sum / count : -std::numeric_limits<double>::infinity();
        }
    }
    return means;
}

HeatmapLayout plan_heatmap(const Grid& grid, const HeatmapOptions& options,
                           const Terminal& terminal) {
    HeatmapLayout layout;
    if (const std::size_t room = room_for_labels(grid, terminal); room > 0) {
        layout.row_labels = fitted(options.row_labels, room, terminal);
    }
    layout.column_labels = fitted(options.column_labels, longest_column_label, terminal);
    layout.gutter = layout.row_labels.empty() ? 0 : widest(layout.row_labels) + 1;
    layout.range = options.range ? *options.range : range_of(grid.values());
    layout.format = format_for(grid.values(), 3, options.decimals);

    const bool colours = terminal.colours != Colours::none;
    const auto fits = [&](std::size_t cell) {
        return layout.gutter + cell * grid.columns() <= terminal.width;
    };
    if (options.numbers) {
        const std::size_t number = number_width(grid, layout.format, terminal);
        // A shade needs room on both sides of the number to be seen; a colour shows behind it.
        const std::size_t least = number + (colours ? 2 : 4);
        const std::size_t wanted = std::max(least, widest(layout.column_labels) + 2);
        const std::size_t even = wanted + (wanted - number) % 2; // the same margin on both sides
        for (const std::size_t cell : {even, least}) {
            if (cell <= widest_cell && fits(cell)) {
                layout.cell = cell;
                layout.number = number;
                return layout;
            }
        }
    }
    const bool labels = !options.row_labels.empty() || !options.column_labels.empty();
    layout.two_rows_line = colours && terminal.unicode && !labels && options.marked.empty() &&
                           grid.rows() > rows_worth_halving;
    const std::size_t wide = options.marked.empty() ? 2 : 3;
    layout.cell = layout.two_rows_line ? 1 : fits(wide) ? wide : fits(2) ? 2 : 1;
    return layout;
}

} // namespace show
