#include "show/matrix.hpp"

#include "show/numbers.hpp"
#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace show {
namespace {

constexpr std::size_t most_matrix_rows = 12;
constexpr std::size_t widest_row_name = 20;
constexpr std::size_t widest_column_label = 12;

/// One column of the drawing, its cells of one width and with their points aligned.
struct Column {
    std::string label;
    std::vector<std::string> cells;
    std::size_t width = 0;
};

std::size_t from_point_on(const std::string& number) {
    const std::size_t point = number.find_first_of(".e");
    return point == std::string::npos ? 0 : number.size() - point;
}

Column column_at(const Grid& grid, std::size_t index, const Shown& rows, const NumberFormat& format,
                 const Terminal& terminal) {
    Column column{.label = {}, .cells = {}};
    std::size_t longest = 0;
    for (const auto& row : rows) {
        const double value = row ? grid(*row, index) : 0;
        column.cells.push_back(row                ? number(value, format, terminal)
                               : terminal.unicode ? "⋮"
                                                  : ":");
        longest =
            std::max(longest, row && std::isfinite(value) ? from_point_on(column.cells.back()) : 0);
    }
    // Exponents differ in length: fill up behind them, so that the points stay below each other.
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] && std::isfinite(grid(*rows[i], index))) {
            column.cells[i].append(longest - from_point_on(column.cells[i]), ' ');
        }
    }
    return column;
}

std::vector<Column> columns_at(const Grid& grid, const Shown& indices, const Shown& rows,
                               const MatrixOptions& options, const Terminal& terminal) {
    std::vector<double> visible;
    for (const auto& row : rows) {
        for (const auto& index : indices) {
            visible.push_back(row && index ? grid(*row, *index) : 0);
        }
    }
    const NumberFormat format = format_for(visible, 4, options.decimals);
    const std::string dots = terminal.unicode ? "…" : "...";
    std::vector<Column> columns;
    for (const auto& index : indices) {
        Column column = index ? column_at(grid, *index, rows, format, terminal)
                              : Column{.label = dots, .cells = {rows.size(), dots}};
        if (options.column_labels.empty()) {
            column.label.clear();
        } else if (index) {
            column.label = fit(options.column_labels[*index], widest_column_label, terminal);
        }
        column.width = std::max(widest(column.cells), display_width(column.label));
        columns.push_back(std::move(column));
    }
    return columns;
}

std::size_t width_of(const std::vector<Column>& columns) {
    std::size_t total = 2; // the brackets
    for (const Column& column : columns) {
        total += column.width + 2;
    }
    return total;
}

/// As many columns as fit: all of them, or the first 6 … last 2, or fewer.
std::vector<Column> fitting_columns(const Grid& grid, const Shown& rows, std::size_t width,
                                    const MatrixOptions& options, const Terminal& terminal) {
    constexpr std::array cuts = {std::pair{6, 2}, std::pair{5, 2}, std::pair{4, 2},
                                 std::pair{3, 2}, std::pair{3, 1}, std::pair{2, 1},
                                 std::pair{1, 1}, std::pair{1, 0}};
    const std::size_t count = grid.columns();
    std::vector<Column> columns;
    if (3 * count <= width) { // what needs more cannot fit, and may be huge
        columns = columns_at(grid, shown(count, count, 0), rows, options, terminal);
        if (width_of(columns) <= width) {
            return columns;
        }
    }
    for (const auto& [head, tail] : cuts) {
        const Shown indices =
            shown(count, static_cast<std::size_t>(head), static_cast<std::size_t>(tail));
        columns = columns_at(grid, indices, rows, options, terminal);
        if (width_of(columns) <= width) {
            break;
        }
    }
    return columns;
}

std::string bracket(std::size_t row, std::size_t rows, const std::array<const char*, 4>& pieces,
                    const Terminal& terminal) {
    const bool tall = terminal.unicode && rows > 1;
    return pieces.at(!tall ? 3 : row == 0 ? 0 : row + 1 == rows ? 2 : 1);
}

} // namespace

void matrix(std::ostream& out, const Grid& values, const MatrixOptions& options,
            const Terminal& terminal) {
    check_labels("matrix", values, options.row_labels, options.column_labels);
    write_title(out, options.title, values.shape(), terminal);
    if (values.rows() == 0 || values.columns() == 0) {
        write_line(out, "[ ]");
        return;
    }
    const std::size_t head = values.rows() <= most_matrix_rows ? most_matrix_rows : 6;
    const Shown rows = shown(values.rows(), head, 2);

    std::vector<std::string> labels;
    for (const auto& row : rows) {
        const std::string dots = terminal.unicode ? "⋮" : ":";
        labels.push_back(options.row_labels.empty() ? ""
                         : row ? fit(options.row_labels[*row], widest_row_name, terminal)
                               : dots);
    }
    const std::size_t gutter = options.row_labels.empty() ? 0 : widest(labels) + 1;
    const std::size_t room = terminal.width > gutter ? terminal.width - gutter : 0;
    const std::vector<Column> columns = fitting_columns(values, rows, room, options, terminal);

    if (!options.column_labels.empty()) {
        std::string line(gutter + 1, ' ');
        for (const Column& column : columns) {
            line += fmt::format(" {} ", right_aligned(column.label, column.width));
        }
        write_line(out, line);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string line = gutter == 0 ? "" : right_aligned(labels[i], gutter - 1) + " ";
        line += bracket(i, rows.size(), {"⎡", "⎢", "⎣", "["}, terminal);
        for (const Column& column : columns) {
            line += fmt::format(" {} ", right_aligned(column.cells[i], column.width));
        }
        write_line(out, line + bracket(i, rows.size(), {"⎤", "⎥", "⎦", "]"}, terminal));
    }
}

} // namespace show
