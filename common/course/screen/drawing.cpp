#include "course/screen/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "course/commands/printing.hpp"
#include "show/beside.hpp"
#include "show/heatmap.hpp"
#include "show/line_chart.hpp"

namespace course {

using Rows = std::vector<std::vector<double>>;

namespace {

constexpr std::size_t indent = 2; // as the rest of a verdict has it

bool is_rectangle(const Rows& rows) {
    return !rows.empty() && !rows[0].empty() &&
           std::all_of(rows.begin(), rows.end(),
                       [&](const auto& row) { return row.size() == rows[0].size(); });
}

bool agree(const Rows& a, const Rows& b) {
    const auto close = [](double x, double y) {
        return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-6 + 1e-5 * std::abs(y);
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), close);
    });
}

std::string heatmap(const std::string& title, const Rows& rows, const show::Terminal& terminal) {
    xt::xarray<double> values = xt::zeros<double>({rows.size(), rows[0].size()});
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            values(i, j) = rows[i][j];
            least = std::isnan(rows[i][j]) ? least : std::min(least, rows[i][j]);
            most = std::isnan(rows[i][j]) ? most : std::max(most, rows[i][j]);
        }
    }
    show::HeatmapOptions options{.title = title, .blocked = "-inf"};
    if (least >= 0 && most <= 1) {
        options.range = show::Range{0, 1}; // weights and masks, whatever is in them
    }
    std::ostringstream out;
    show::heatmap(out, show::Grid(values), options, terminal);
    return out.str();
}

} // namespace

std::string drawing(const Exercise& exercise, const judge::Verdict& verdict, std::size_t width) {
    const Rows& yours = verdict.example.yours;
    const Rows& expected = verdict.example.expected;
    if (exercise.drawn_as.empty() || !is_rectangle(yours) || !is_rectangle(expected)) {
        return "";
    }
    const bool right = agree(yours, expected);
    show::Terminal terminal = show::terminal();
    terminal.width = width - indent;
    std::ostringstream out;
    if (exercise.drawn_as == "curve" && yours.size() == 2 && expected.size() == 2) {
        std::vector<show::Series> series{{.name = "yours", .x = yours[0], .y = yours[1]}};
        if (!right) {
            series.push_back({.name = "expected", .x = expected[0], .y = expected[1]});
        }
        show::line_chart(out, series,
                         {.title = exercise.title + ", unscaled",
                          .x_label = "d_k",
                          .y_label = "nats",
                          .log_x = true,
                          .height = 8},
                         terminal);
        return indented(out.str());
    }
    terminal.width = (width - indent) / 2;
    std::vector<std::string> drawings{heatmap("yours", yours, terminal)};
    if (!right) {
        drawings.push_back(heatmap("expected", expected, terminal));
    }
    terminal.width = width - indent;
    show::beside(out, drawings, terminal);
    return indented(out.str());
}

} // namespace course
