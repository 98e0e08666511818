#include "show/heatmap.hpp"

#include "show/palette.hpp"
#include "show/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace show {
namespace {

constexpr std::size_t widest_row_label = 20;
constexpr std::size_t narrowest_row_label = 3;
constexpr std::size_t longest_column_label = 12;
constexpr std::size_t widest_cell = 14;

/// How a heatmap is laid out before it is drawn.
struct HeatmapLayout {
    std::vector<std::string> row_labels;
    std::vector<std::string> column_labels;
    std::size_t gutter = 0; // columns left of the cells
    std::size_t cell = 2;   // columns of a cell
    std::size_t number = 0; // of them for the number, 0: cells without numbers
    NumberFormat format;
    Range range;
};

/// −∞: a score that a mask has blocked.
bool is_blocked(double value) {
    return std::isinf(value) && value < 0;
}

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

/// The largest cells that fit: as wide as the column labels, as the numbers, two columns, one.
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
    const std::size_t wide = options.marked.empty() ? 2 : 3;
    layout.cell = fits(wide) ? wide : fits(2) ? 2 : 1;
    return layout;
}

/// Where a value lies between the ends of the palette; nothing for NaN and −∞.
std::optional<double> level_of(double value, const Range& range) {
    if (std::isnan(value) || is_blocked(value)) {
        return std::nullopt;
    }
    // Halves, because the width of the range may be no double.
    const double level = (value / 2 - range.low / 2) / (range.high / 2 - range.low / 2);
    return std::clamp(level, 0.0, 1.0);
}

std::string blocked_mark(const Terminal& terminal) {
    return terminal.unicode ? "·" : "x";
}

/// The text of a cell without a colour.
std::string mark_of(double value, std::size_t width, const Terminal& terminal) {
    return !std::isnan(value) ? blocked_mark(terminal) : width < 3 ? "?" : "nan";
}

std::string marked_text(double value, std::optional<double> level, std::size_t width,
                        const Terminal& terminal) {
    if (!level || terminal.colours == Colours::none) {
        const std::string inner = level ? std::string(width - 2, shade(*level))
                                        : centred(mark_of(value, width - 2, terminal), width - 2);
        return fmt::format("[{}]", inner);
    }
    return on_level(fmt::format("[{}]", std::string(width - 2, ' ')), *level, terminal);
}

std::string cell_text(double value, bool is_marked, const HeatmapLayout& layout,
                      const Terminal& terminal) {
    const std::optional<double> level = level_of(value, layout.range);
    if (is_marked && layout.number == 0 && layout.cell > 2) {
        return marked_text(value, level, layout.cell, terminal);
    }
    if (!level) {
        return centred(mark_of(value, layout.cell, terminal), layout.cell);
    }
    const std::string text =
        layout.number == 0 ? ""
                           : right_aligned(number(value, layout.format, terminal), layout.number);
    if (terminal.colours != Colours::none) {
        return on_level(centred(text, layout.cell), *level, terminal);
    }
    // The number in a field of its shade, one column clear on either side.
    const std::string clear = text.empty() ? "" : fmt::format(" {} ", text);
    const std::size_t rest = layout.cell - display_width(clear);
    return std::string(rest / 2, shade(*level)) + clear +
           std::string(rest - rest / 2, shade(*level));
}

void write_column_labels(std::ostream& out, const HeatmapLayout& layout) {
    const std::string gutter(layout.gutter, ' ');
    if (widest(layout.column_labels) + 1 <= layout.cell) {
        std::string line = gutter;
        for (const std::string& label : layout.column_labels) {
            line += centred(label, layout.cell);
        }
        write_line(out, line);
        return;
    }
    std::vector<std::vector<std::string>> upright;
    std::size_t height = 0;
    for (const std::string& label : layout.column_labels) {
        upright.push_back(characters(label));
        height = std::max(height, upright.back().size());
    }
    for (std::size_t i = height; i > 0; --i) { // the i-th characters from the labels' ends
        std::string line = gutter;
        for (const auto& label : upright) {
            line += centred(i <= label.size() ? label[label.size() - i] : "", layout.cell);
        }
        write_line(out, line);
    }
}

bool contains(const std::vector<Cell>& cells, std::size_t row, std::size_t column) {
    return std::any_of(cells.begin(), cells.end(),
                       [&](const Cell& cell) { return cell.row == row && cell.column == column; });
}

void write_rows(std::ostream& out, const Grid& grid, const std::vector<Cell>& marked,
                const HeatmapLayout& layout, const Terminal& terminal) {
    for (std::size_t i = 0; i < grid.rows(); ++i) {
        std::string line;
        if (!layout.row_labels.empty()) {
            line = right_aligned(layout.row_labels[i], layout.gutter - 1) + " ";
        }
        for (std::size_t j = 0; j < grid.columns(); ++j) {
            line += cell_text(grid(i, j), contains(marked, i, j), layout, terminal);
        }
        write_line(out, line);
    }
}

void write_legend(std::ostream& out, const Grid& grid, const HeatmapLayout& layout,
                  const std::string& blocked, const Terminal& terminal) {
    constexpr std::size_t steps = 20;
    const bool colours = terminal.colours != Colours::none;
    std::string bar;
    for (std::size_t i = 0; i < steps; ++i) {
        const double level = (static_cast<double>(i) + 0.5) / steps;
        bar += colours ? on_level(" ", level, terminal) : std::string(1, shade(level));
    }
    const std::vector ends{layout.range.low, layout.range.high};
    const NumberFormat format = format_for(ends, 3);
    std::string line = std::string(layout.gutter, ' ');
    line +=
        fmt::format("{} {} {}", number(ends[0], format, terminal),
                    colours ? bar : fmt::format("[{}]", bar), number(ends[1], format, terminal));
    const auto any = [&](bool (*is)(double)) {
        return std::any_of(grid.values().begin(), grid.values().end(), is);
    };
    if (any(is_blocked)) {
        line += fmt::format("   {} {}", blocked_mark(terminal), blocked);
    }
    if (layout.cell < 3 && any([](double value) { return std::isnan(value); })) {
        line += "   ? nan";
    }
    write_line(out, line);
}

} // namespace

void heatmap(std::ostream& out, const Grid& values, const HeatmapOptions& options,
             const Terminal& terminal) {
    check_labels("heatmap", values, options.row_labels, options.column_labels);
    write_title(out, options.title, values.shape(), terminal);
    if (values.rows() == 0 || values.columns() == 0) {
        write_line(out, "(nothing to draw: no cells)");
        return;
    }
    const HeatmapLayout layout = plan_heatmap(values, options, terminal);
    if (!layout.column_labels.empty()) {
        write_column_labels(out, layout);
    }
    write_rows(out, values, options.marked, layout, terminal);
    write_legend(out, values, layout, options.blocked, terminal);
}

} // namespace show
