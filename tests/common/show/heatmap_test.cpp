#include "common/refused.hpp"
#include "common/show/screens.hpp"
#include "show/heatmap.hpp"
#include "show/text.hpp"
#include "support/special_values.hpp"

#include <doctest/doctest.h>

using attention::Matrix;
using show::Grid;
using show::HeatmapOptions;
using support::inf;
using support::NaN;

namespace {

std::string heatmap(const Grid& values, const HeatmapOptions& options,
                    const show::Terminal& terminal) {
    return drawn([&](auto& out) { show::heatmap(out, values, options, terminal); });
}

} // namespace

TEST_CASE("heatmap: numbers in fields of their shade if there are no colours") {
    const HeatmapOptions options{.title = "weights",
                                 .row_labels = {"le", "chat"},
                                 .column_labels = {"the", "cat"},
                                 .range = show::Range{0, 1}};
    CHECK(heatmap({{0.9, 0.1}, {0.25, 0.75}}, options, ascii) ==
          "weights (2, 2)\n"
          "       the     cat\n"
          "  le @ 0.90 @. 0.10 .\n"
          "chat : 0.25 :# 0.75 #\n"
          "     0 [  ..::--==++**##%%@@] 1\n");
}

TEST_CASE("heatmap: cells of 24-bit colours, with black or white numbers on them") {
    const std::string text = heatmap({{0, 1}}, {}, true_colour);
    CHECK(line(text, 1) == "\x1b[38;5;231;48;2;68;1;84m 0 \x1b[39;49m"
                           "\x1b[38;5;16;48;2;253;231;37m 1 \x1b[39;49m");
    CHECK(line(text, 2).starts_with("0 \x1b[38;5;231;48;2;69;10;92m \x1b[39;49m"));
    CHECK(line(text, 2).ends_with("m \x1b[39;49m 1"));
}

TEST_CASE("heatmap: blocked cells are points on the background, NaN is written") {
    CHECK(heatmap({{0.5, -inf}, {0.25, NaN}}, {}, unicode) ==
          "(2, 2)\n"
          "@ 0.50 @   ·\n"
          "  0.25    nan\n"
          "0.25 [  ..::--==++**##%%@@] 0.50   · blocked\n");
    CHECK(heatmap({{1, -inf, NaN}}, {.numbers = false}, ascii) ==
          "(1, 3)\n"
          "++x ?\n"
          "0.5 [  ..::--==++**##%%@@] 1.5   x blocked   ? nan\n");
    const std::string text = heatmap({{1, -inf}}, {}, true_colour);
    CHECK(line(text, 1).ends_with("\x1b[39;49m ·"));
}

TEST_CASE("heatmap: column labels wider than a cell are upright") {
    const HeatmapOptions options{.column_labels = {"a", "économie"}, .numbers = false};
    CHECK(heatmap({{1, 0}}, options, ascii) == "(1, 2)\n"
                                               "  é\n  c\n  o\n  n\n  o\n  m\n  i\na e\n"
                                               "@@\n"
                                               "0 [  ..::--==++**##%%@@] 1\n");
}

TEST_CASE("heatmap: cells shrink until they fit the width") {
    const Matrix values = xt::ones<double>({2, 20}) * 0.125;
    const auto cells = [&](std::size_t width) {
        return show::display_width(line(heatmap(values, {}, of_width(true_colour, width)), 1));
    };
    CHECK(cells(200) == 20 * 6);
    CHECK(cells(80) == 20 * 2);
    CHECK(cells(39) == 20);
}

TEST_CASE("heatmap: constant, single, extreme and missing values have a picture") {
    CHECK(heatmap({{0.25}}, {}, ascii) == "(1, 1)\n"
                                          "+ 0.25 +\n"
                                          "-0.25 [  ..::--==++**##%%@@] 0.75\n");
    CHECK(line(heatmap({{1.7e308, -1.7e308, 0}}, {}, ascii), 1) ==
          "@  1.7e308 @  -1.7e308  +        0 +");
    CHECK(heatmap(Matrix::from_shape({0, 2}), {.title = "t"}, ascii) ==
          "t (0, 2)\n(nothing to draw: no cells)\n");
}

TEST_CASE("heatmap: labels must match the shape") {
    CHECK_REFUSED(heatmap({{1, 2}}, {.row_labels = {"a", "b"}}, ascii),
                  "heatmap: row_labels must name every row, got 2 labels for 1 row");
    CHECK_REFUSED(heatmap({{1, 2}}, {.column_labels = {"a"}}, ascii),
                  "heatmap: column_labels must name every column, got 1 label for 2 columns");
}

TEST_CASE("heatmap: marked cells are in brackets where cells have no numbers") {
    const std::string text =
        heatmap({{0, 1}, {1, -inf}}, {.numbers = false, .marked = {{0, 1}, {1, 1}}}, ascii);
    CHECK(line(text, 1) == "   [@]");
    CHECK(line(text, 2) == "@@@[x]");
    const std::string colourful =
        heatmap({{0, 1}}, {.numbers = false, .marked = {{0, 0}}}, true_colour);
    CHECK(colourful.find("[ ]") != std::string::npos);
}
