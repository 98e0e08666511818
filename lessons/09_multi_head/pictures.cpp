// The pictures of this page: heads are columns, and who shares keys.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "show/svg.hpp"

using show::Picture;
using show::Point;
using show::Svg;

namespace {

const std::vector<std::string> shades{" light", " half", ""}; // of the heads

// Four positions, three heads of two columns each.
constexpr std::size_t n = 4, n_heads = 3, d = 2;
constexpr double cell = 16;

/// A matrix of n rows in the colour of what it is; every d columns have the shade of a head, from
/// first_head on. Columns are numbered from first_column, unless that is none.
constexpr std::size_t none = 1000;
void cells(Svg& svg, Point corner, const std::string& colour, std::size_t columns,
           std::size_t first_head, std::size_t first_column = none) {
    for (std::size_t j = 0; j < columns; ++j) {
        const double x = corner.x + cell * static_cast<double>(j);
        for (std::size_t i = 0; i < n; ++i) {
            svg.rectangle({x + 1, corner.y + cell * static_cast<double>(i) + 1}, cell - 2, cell - 2,
                          "fill-" + colour + shades[first_head + j / d]);
        }
        if (first_column != none) {
            svg.text({x + cell / 2, corner.y - 4}, fmt::format("{}", first_column + j), "ink small",
                     "middle");
        }
    }
}

// Q, K and V with their columns cut, one attention per head, and the outputs side by side.
Picture heads_are_columns() {
    Svg svg(740, 452, "Heads are columns",
            "Q, K and V have four rows and six columns each, which are cut into three heads: the "
            "columns 0 and 1, 2 and 3, 4 and 5. Every head goes through an attention of its own, "
            "with its columns of all three. The outputs stand side by side again, in the same "
            "columns, and are multiplied by W_o.");
    constexpr double pitch = 122;
    constexpr double height = cell * static_cast<double>(n);
    const char* const names[] = {"Q", "K", "V"};
    const char* const colours[] = {"q", "k", "v"};
    svg.text({20, 30}, "split_heads", "ink bold");
    svg.text({20, 48}, "by columns", "ink small");
    svg.text({356, 30}, "each by itself", "ink bold");
    svg.text({570, 30}, "merge_heads", "ink bold");
    svg.text({570, 48}, "side by side", "ink small");
    const double middle = 84 + pitch + height / 2;
    svg.line({156, middle - pitch}, {156, middle + pitch}, "faint"); // all three go to each head
    for (std::size_t row = 0; row < 3; ++row) {
        const double y = 84 + pitch * static_cast<double>(row);
        svg.text({20, y + height / 2 + 4}, names[row], colours[row] + std::string(" bold"));
        cells(svg, {40, y}, colours[row], n_heads * d, 0, 0);
        // a head, with its columns of all three
        svg.line({144, y + height / 2}, {156, y + height / 2}, "faint");
        svg.arrow({156, y + height / 2}, {196, y + height / 2}, "faint");
        svg.text({204, y - 20}, fmt::format("head {}", row), "ink small bold");
        for (std::size_t matrix = 0; matrix < 3; ++matrix) {
            const Point corner{204 + 46 * static_cast<double>(matrix), y};
            cells(svg, corner, colours[matrix], d, row, d * row);
            svg.text({corner.x + cell, y + height + 14}, names[matrix],
                     colours[matrix] + std::string(" small"), "middle");
        }
        svg.arrow({334, y + height / 2}, {358, y + height / 2}, "faint");
        svg.text({364, y + height / 2 + 4}, "attention", "ink small");
        svg.arrow({428, y + height / 2}, {452, y + height / 2}, "faint");
        cells(svg, {458, y}, "output", d, row);
        svg.arrow({496, y + height / 2}, {562, middle}, "faint");
    }
    cells(svg, {570, 84 + pitch}, "output", n_heads * d, 0, 0);
    svg.arrow({670, middle}, {694, middle}, "faint");
    svg.text({700, middle + 4}, "· W_o", "ink");
    const double below = 84 + 2 * pitch + height;
    svg.text({40, below + 18}, "n = 4, n_heads · d = 6", "ink small");
    svg.text({458, below + 18}, "(n, d)", "ink small");
    svg.text({570, 84 + pitch + height + 18}, "(n, n_heads · d)", "ink small");
    svg.text(
        {20, below + 44},
        "head h, a shade of each colour: the columns from h · d to before (h + 1) · d, here d = 2",
        "ink small");
    return {"heads_are_columns", svg};
}

// Eight heads of queries, and the heads of keys and values that they use.
void sharing_by(Svg& svg, double left, std::size_t n_kv_heads, const std::string& heading) {
    constexpr std::size_t n_query_heads = 8;
    constexpr double step = 27;
    constexpr double width = 21;
    svg.text({left, 30}, heading, "ink bold");
    svg.text({left, 60},
             fmt::format("{} head{} of keys and values", n_kv_heads, n_kv_heads == 1 ? "" : "s"),
             "ink small");
    svg.text({left, 192}, fmt::format("{} heads of queries", n_query_heads), "ink small");
    const std::size_t group = n_query_heads / n_kv_heads;
    const auto head_at = [&](double head, double y, std::size_t number, const std::string& look) {
        const double x = left + step * head;
        svg.rectangle({x, y}, width, 24, look);
        svg.text({x + width / 2, y + 16}, fmt::format("{}", number), "ink small", "middle");
        return x + width / 2;
    };
    for (std::size_t g = 0; g < n_kv_heads; ++g) {
        const double middle = static_cast<double>(group) * (static_cast<double>(g) + 0.5) - 0.5;
        const double from = head_at(middle, 70, g, "fill-k light");
        for (std::size_t h = g * group; h < (g + 1) * group; ++h) {
            const double to = head_at(static_cast<double>(h), 150, h, "fill-q light");
            svg.line({to, 149}, {from, 95}, "faint");
        }
    }
}

Picture sharing() {
    Svg svg(740, 206, "Heads of queries share heads of keys and values",
            "Eight heads of queries, 0 to 7. Multi-head: eight heads of keys and values, one each. "
            "Grouped: two; heads 0 to 3 use head 0, heads 4 to 7 use head 1. Multi-query: head 0 "
            "for all.");
    sharing_by(svg, 20, 8, "multi-head");
    sharing_by(svg, 267, 2, "grouped-query");
    sharing_by(svg, 514, 1, "multi-query");
    return {"sharing", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {heads_are_columns(), sharing()};
}
