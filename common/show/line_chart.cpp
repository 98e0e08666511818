#include "show/line_chart.hpp"

#include "show/axis.hpp"
#include "show/canvas.hpp"
#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace show {
namespace {

constexpr std::size_t widest_chart = 100;
constexpr std::size_t narrowest_plot = 20;

void check(const std::vector<Series>& series) {
    for (const Series& one : series) {
        if (one.x.size() != one.y.size()) {
            throw std::invalid_argument(fmt::format(
                "line_chart: x and y must be equally long, got {} and {} in series '{}'",
                one.x.size(), one.y.size(), one.name));
        }
    }
}

/// The coordinates of the pairs that have a place.
std::vector<double> drawable(const std::vector<Series>& series, const LineChartOptions& options,
                             std::vector<double> Series::*axis) {
    const auto has_place = [](double value, bool logarithmic) {
        return std::isfinite(value) && (!logarithmic || value > 0);
    };
    std::vector<double> result;
    for (const Series& one : series) {
        for (std::size_t i = 0; i < one.x.size(); ++i) {
            if (has_place(one.x[i], options.log_x) && has_place(one.y[i], options.log_y)) {
                result.push_back((one.*axis)[i]);
            }
        }
    }
    return result;
}

/// At most `height`, and such that ticks that reach both ends of the axis lie at even distances.
std::size_t rows_for(const Axis& y, std::size_t height) {
    const std::vector<double>& ticks = y.ticks();
    const bool even = ticks.size() > 1 && ticks.size() <= height &&
                      std::abs(y.place(ticks.front())) < 1e-9 &&
                      std::abs(y.place(ticks.back()) - 1) < 1e-9;
    const std::size_t steps = even ? ticks.size() - 1 : 1;
    return (height - 1) / steps * steps + 1;
}

/// How one series looks: its mark where it is drawn in characters, and its colour.
struct Look {
    std::string mark;
    Colour colour;
};

Look look_of(std::size_t series, bool braille) {
    constexpr std::array marks = {"*", "o", "+", "x", "#", "@", "%"};
    constexpr std::array colours = {Colour::blue, Colour::orange, Colour::green, Colour::pink,
                                    Colour::sky,  Colour::yellow, Colour::red};
    return {braille ? "•" : marks.at(series % marks.size()), colours.at(series % colours.size())};
}

void draw_series(Canvas& canvas, const Series& series, std::size_t index, const Axis& x,
                 const Axis& y, bool braille) {
    const std::string mark = look_of(index, braille).mark;
    const auto place = [&](std::size_t i) {
        return Place{x.place(series.x[i]), y.place(series.y[i])};
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (series.points) {
            canvas.point(place(i), index, mark);
        } else {
            canvas.line(place(i > 0 ? i - 1 : i), place(i), index, mark);
            canvas.line(place(i), place(i), index, mark); // one point between gaps
        }
    }
}

std::string row_text(const Canvas& canvas, std::size_t row, bool braille,
                     const Terminal& terminal) {
    std::string text, run;
    std::optional<std::size_t> run_series;
    const auto flush = [&] {
        text += run_series ? coloured(run, look_of(*run_series, braille).colour, terminal) : run;
        run.clear();
    };
    for (std::size_t column = 0; column < canvas.columns(); ++column) {
        const Canvas::Character character = canvas.at(column, row);
        if (character.series != run_series) {
            flush();
            run_series = character.series;
        }
        run += character.text;
    }
    flush();
    return text;
}

/// The canvas, with the vertical axis and its labels in the `gutter` columns left of it.
void write_plot(std::ostream& out, const Canvas& canvas, const Axis& y, std::size_t gutter,
                bool braille, const Terminal& terminal) {
    std::vector<std::string> labels(canvas.rows());
    const std::vector<std::string> texts = y.labels(terminal);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        labels[canvas.row_of(y.place(y.ticks()[i]))] = texts[i];
    }
    for (std::size_t row = 0; row < canvas.rows(); ++row) {
        const char* axis = !terminal.unicode     ? (labels[row].empty() ? "|" : "+")
                           : labels[row].empty() ? "│"
                                                 : "┤";
        write_line(out, right_aligned(labels[row], gutter - 1) + " " + dim(axis, terminal) +
                            row_text(canvas, row, braille, terminal));
    }
}

/// The horizontal axis and its labels.
void write_x_axis(std::ostream& out, const Canvas& canvas, const Axis& x, std::size_t gutter,
                  const Terminal& terminal) {
    std::vector<std::string> line(canvas.columns(), terminal.unicode ? "─" : "-");
    std::string labels;
    const std::size_t end = gutter + 1 + canvas.columns();
    const std::vector<std::string> texts = x.labels(terminal);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t column = canvas.column_of(x.place(x.ticks()[i]));
        const std::size_t length = display_width(texts[i]);
        const std::size_t middle = gutter + 1 + column;
        const std::size_t start = std::min(middle - std::min(middle, length / 2), end - length);
        line[column] = terminal.unicode ? "┬" : "+";
        if (labels.empty() || start > display_width(labels)) {
            labels = left_aligned(labels, start) + texts[i];
        }
    }
    std::string axis = terminal.unicode ? "└" : "+";
    for (const std::string& piece : line) {
        axis += piece;
    }
    write_line(out, std::string(gutter, ' ') + dim(axis, terminal));
    write_line(out, labels);
}

/// The names of the series that have one, on as many lines as they need.
void write_legend(std::ostream& out, const std::vector<Series>& series, std::size_t gutter,
                  std::size_t width, bool braille, const Terminal& terminal) {
    std::string line;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].name.empty()) {
            continue;
        }
        const Look look = look_of(i, braille);
        const std::string sample = braille && !series[i].points ? "──" : look.mark;
        const std::string entry =
            coloured(sample, look.colour, terminal) + " " + fit(series[i].name, width, terminal);
        if (!line.empty() && gutter + 4 + display_width(line) + display_width(entry) > width) {
            write_line(out, std::string(gutter + 1, ' ') + line);
            line.clear();
        }
        line += (line.empty() ? "" : "   ") + entry;
    }
    if (!line.empty()) {
        write_line(out, std::string(gutter + 1, ' ') + line);
    }
}

} // namespace

void line_chart(std::ostream& out, const std::vector<Series>& series,
                const LineChartOptions& options, const Terminal& terminal) {
    check(series);
    write_title(out, options.title, "", terminal);
    const std::vector<double> xs = drawable(series, options, &Series::x);
    if (xs.empty()) {
        write_line(out, "(nothing to draw: no finite point)");
        return;
    }
    const std::vector<double> ys = drawable(series, options, &Series::y);
    const Axis y(ys, options.log_y, options.y_range, std::max<std::size_t>(options.height / 3, 2),
                 true);
    const std::size_t gutter = widest(y.labels(terminal)) + 1;
    const std::size_t width = std::min(terminal.width, widest_chart);
    const std::size_t columns = std::max(width, gutter + 1 + narrowest_plot) - gutter - 1;
    const Axis x(xs, options.log_x, std::nullopt, std::max<std::size_t>(columns / 10, 2), false);

    const bool braille =
        terminal.unicode && (terminal.colours != Colours::none || series.size() == 1);
    Canvas canvas(columns, rows_for(y, options.height), braille);
    for (std::size_t i = 0; i < series.size(); ++i) {
        draw_series(canvas, series[i], i, x, y, braille);
    }
    if (!options.y_label.empty()) {
        write_line(out, dim(fit(options.y_label, width, terminal), terminal));
    }
    write_plot(out, canvas, y, gutter, braille, terminal);
    write_x_axis(out, canvas, x, gutter, terminal);
    if (!options.x_label.empty()) {
        const std::string label = options.x_label + (options.log_x ? " (log scale)" : "");
        write_line(out, std::string(gutter + 1, ' ') +
                            dim(centred(fit(label, columns, terminal), columns), terminal));
    }
    write_legend(out, series, gutter, width, braille, terminal);
}

} // namespace show
