#include "show/line_chart.hpp"

#include "show/axis.hpp"
#include "show/canvas.hpp"
#include "show/chart_frame.hpp"
#include "show/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace show {
namespace {

constexpr std::size_t widest_chart = 100;
constexpr std::size_t narrowest_plot = 20;

void check_axis(const std::optional<Range>& range, bool logarithmic) {
    if (range) {
        check_range("line_chart", *range);
        if (logarithmic && range->low <= 0) {
            throw std::invalid_argument(
                fmt::format("line_chart: a range on a log axis must be positive, got {:g} to {:g}",
                            range->low, range->high));
        }
    }
}

void check(const std::vector<Series>& series, const LineChartOptions& options) {
    for (const Series& one : series) {
        if (one.x.size() != one.y.size()) {
            throw std::invalid_argument(fmt::format(
                "line_chart: x and y must be equally long, got {} and {} in series '{}'",
                one.x.size(), one.y.size(), one.name));
        }
    }
    check_axis(options.x_range, options.log_x);
    check_axis(options.y_range, options.log_y);
    if (options.height < 4 || options.height > 100) {
        throw std::invalid_argument(
            fmt::format("line_chart: height must be between 4 and 100, got {}", options.height));
    }
}

/// The coordinates of the pairs that have a place; outside a given x range, none counts for y.
std::vector<double> drawable(const std::vector<Series>& series, const LineChartOptions& options,
                             std::vector<double> Series::*axis) {
    const auto has_place = [](double value, bool logarithmic) {
        return std::isfinite(value) && (!logarithmic || value > 0);
    };
    const auto& range = options.x_range;
    std::vector<double> result;
    for (const Series& one : series) {
        for (std::size_t i = 0; i < one.x.size(); ++i) {
            const bool inside = !range || (range->low <= one.x[i] && one.x[i] <= range->high);
            if (inside && has_place(one.x[i], options.log_x) &&
                has_place(one.y[i], options.log_y)) {
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

} // namespace

void line_chart(std::ostream& out, const std::vector<Series>& series,
                const LineChartOptions& options, const Terminal& terminal) {
    check(series, options);
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
    const Axis x(xs, options.log_x, options.x_range, std::max<std::size_t>(columns / 10, 2), false);

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
