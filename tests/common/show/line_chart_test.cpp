#include "common/refused.hpp"
#include "common/show/screens.hpp"
#include "show/line_chart.hpp"
#include "show/text.hpp"
#include "support/special_values.hpp"

#include <doctest/doctest.h>

using show::LineChartOptions;
using show::Range;
using show::Series;
using support::inf;
using support::NaN;

namespace {

std::string line_chart(const std::vector<Series>& series, const LineChartOptions& options,
                       const show::Terminal& terminal) {
    return drawn([&](auto& out) { show::line_chart(out, series, options, terminal); });
}

const Series rising{.name = "rising", .x = {0, 1, 2}, .y = {0, 1, 2}};
const Series falling{.name = "falling", .x = {0, 1, 2}, .y = {2, 1, 0}};

} // namespace

TEST_CASE("line_chart: one character a series in ASCII") {
    const LineChartOptions options{
        .title = "two lines", .x_label = "steps", .y_label = "loss", .height = 6};
    CHECK(line_chart({rising, falling}, options, of_width(ascii, 24)) == R"(two lines
loss
2 +ooo               ***
  |   ooooo     *****
1 +        ooooo
  |   *****     ooooo
0 +***               ooo
  ++---------+---------+
   0         1         2
           steps
   * rising   o falling
)");
}

TEST_CASE("line_chart: braille dots with unicode") {
    CHECK(line_chart({rising}, {.height = 6}, of_width(unicode, 24)) == R"(2 ┤                 ⣀⠤⠒⠉
  │            ⢀⡠⠔⠒⠉
1 ┤        ⢀⡠⠴⠊⠁
  │    ⣀⠤⠔⠊⠁
0 ┤⣀⠤⠒⠉
  └┬─────────┬─────────┬
   0         1         2
   ── rising
)");
}

TEST_CASE("line_chart: a logarithmic x axis gives each decade the same room") {
    const Series decades{.x = {1, 10, 100, 1000}, .y = {0, 1, 2, 3}};
    CHECK(line_chart({decades}, {.x_label = "d_k", .log_x = true, .height = 4},
                     of_width(ascii, 33)) == R"(4 +
2 +           *******************
0 +***********
  ++---------+--------+---------+
   1        10       100     1000
          d_k (log scale)
)");
}

TEST_CASE("line_chart: a logarithmic y axis ends on powers of ten") {
    const Series decay{.x = {0, 1, 2}, .y = {0.5, 0.05, 0.005}};
    CHECK(line_chart({decay}, {.log_y = true, .height = 10}, of_width(ascii, 30)) == R"(    1 +
      |***
      |   ***
  0.1 +      ****
      |          ****
      |              ***
 0.01 +                 ****
      |                     **
      |
0.001 +
      ++----------+----------+
       0          1          2
)");
}

TEST_CASE("line_chart: NaN and infinity are gaps, and so are numbers without a logarithm") {
    const Series gap{.x = {0, 1, 2, 3, 4}, .y = {1, 1, NaN, 1, 1}};
    CHECK(line(line_chart({gap}, {.height = 5}, of_width(ascii, 25)), 2) ==
          "1.0 +******        ******");
    const Series zeros{.x = {0, 1, 10, 100, inf}, .y = {1, 1, 1, 1, 1}};
    CHECK(line(line_chart({zeros}, {.log_x = true, .height = 5}, of_width(ascii, 25)), 6) ==
          "     1        10      100");
}

TEST_CASE("line_chart: lines are cut at the edges of a given range") {
    const Series peak{.x = {0, 1, 2}, .y = {0, 1e9, 0}};
    const std::string text =
        line_chart({peak}, {.y_range = Range{0, 1}, .height = 4}, of_width(ascii, 24));
    CHECK(text == R"(1.0 +*                  *
0.5 +*                  *
0.0 +*                  *
    ++---------+--------+
     0         1        2
)");
}

TEST_CASE("line_chart: constant series have a picture") {
    const Series constant{.x = {1, 2, 3}, .y = {2, 2, 2}};
    CHECK(line_chart({constant}, {.height = 5}, of_width(ascii, 24)) == R"(2.5 +
    |
2.0 +********************
    |
1.5 +
    ++---------+--------+
     1         2        3
)");
    const Series noise{.x = {1, 2}, .y = {1, 1 + 1e-15}};
    CHECK(line(line_chart({noise}, {.height = 5}, of_width(ascii, 24)), 2).starts_with("1.0 +**"));
}

TEST_CASE("line_chart: without finite values it says so") {
    CHECK(line_chart({}, {.title = "t"}, ascii) == "t\n(nothing to draw: no finite point)\n");
    CHECK(line_chart({{.x = {0}, .y = {1}}}, {.log_x = true}, ascii) ==
          "(nothing to draw: no finite point)\n");
}

TEST_CASE("line_chart: lines keep to the width, at most 100 columns, and end without spaces") {
    for (const std::size_t width : {40u, 80u, 200u}) {
        for (const show::Terminal& terminal : {ascii, unicode}) {
            const std::string text = line_chart({rising, falling}, {.title = "t", .x_label = "x"},
                                                of_width(terminal, width));
            std::istringstream stream(text);
            for (std::string row; std::getline(stream, row);) {
                CHECK(show::display_width(row) <= std::min<std::size_t>(width, 100));
            }
            CHECK_FALSE(has_trailing_space(text));
            CHECK_FALSE(has_escape(text));
        }
    }
}

TEST_CASE("line_chart: x and y must be equally long") {
    CHECK_REFUSED(line_chart({{.name = "loss", .x = {1, 2, 3}, .y = {1, 2}}}, {}, ascii),
                  "line_chart: x and y must be equally long, got 3 and 2 in series 'loss'");
}
