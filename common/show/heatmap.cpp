#include "show/heatmap.hpp"

#include "show/heatmap_layout.hpp"
#include "show/palette.hpp"
#include "show/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace show {
namespace {

constexpr std::size_t most_rows = 64;

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

void write_half_rows(std::ostream& out, const Grid& grid, const HeatmapLayout& layout,
                     const Terminal& terminal) {
    for (std::size_t i = 0; i < grid.rows(); i += 2) {
        std::string line;
        for (std::size_t j = 0; j < grid.columns(); ++j) {
            const auto top = level_of(grid(i, j), layout.range);
            const auto bottom =
                i + 1 < grid.rows() ? level_of(grid(i + 1, j), layout.range) : std::nullopt;
            line += top || bottom ? half_blocks(top, bottom, terminal)
                                  : mark_of(grid(i, j), 1, terminal);
        }
        write_line(out, line);
    }
}

void write_legend(std::ostream& out, const Grid& grid, const HeatmapLayout& layout,
                  const std::string& blocked, std::size_t side, const Terminal& terminal) {
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
    if (side > 1) {
        const char* times = terminal.unicode ? "×" : "x";
        line += fmt::format("   each cell the mean of {} {} {}", side, times, side);
    }
    write_line(out, line);
}

void draw(std::ostream& out, const Grid& grid, const HeatmapOptions& options, std::size_t side,
          const Terminal& terminal) {
    const HeatmapLayout layout = plan_heatmap(grid, options, terminal);
    if (!layout.column_labels.empty()) {
        write_column_labels(out, layout);
    }
    if (layout.two_rows_line) {
        write_half_rows(out, grid, layout, terminal);
    } else {
        write_rows(out, grid, options.marked, layout, terminal);
    }
    write_legend(out, grid, layout, options.blocked, side, terminal);
}

} // namespace

void heatmap(std::ostream& out, const Grid& values, const HeatmapOptions& options,
             const Terminal& terminal) {
    check_labels("heatmap", values, options.row_labels, options.column_labels);
    if (options.range) {
        check_range("heatmap", *options.range);
    }
    for (const Cell& cell : options.marked) {
        if (cell.row >= values.rows() || cell.column >= values.columns()) {
            throw std::invalid_argument(
                fmt::format("heatmap: marked cells must be inside, got ({}, {}) of {}", cell.row,
                            cell.column, values.shape()));
        }
    }
    write_title(out, options.title, values.shape(), terminal);
    if (values.rows() == 0 || values.columns() == 0) {
        write_line(out, "(nothing to draw: no cells)");
        return;
    }
    const std::size_t room = std::max<std::size_t>(terminal.width, 1);
    const std::size_t side =
        std::max((values.columns() + room - 1) / room, (values.rows() + most_rows - 1) / most_rows);
    if (side == 1) {
        draw(out, values, options, side, terminal);
    } else {
        const HeatmapOptions unlabelled{.range = options.range, .numbers = false};
        draw(out, block_means(values, side), unlabelled, side, terminal);
    }
}

} // namespace show
