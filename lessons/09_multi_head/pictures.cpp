// The pictures of this page: heads are columns, rotation keeps the distance, and who shares keys.

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "show/svg.hpp"

using show::Picture;
using show::Point;
using show::Svg;

namespace {

const std::vector<std::string> colours{"fill-blue", "fill-orange", "fill-green"};

/// A matrix of cells, each with the colour of its column's head; n_heads 0: all of one colour.
void cells(Svg& svg, Point corner, std::size_t rows, std::size_t columns, std::size_t first_head,
           std::size_t columns_a_head) {
    constexpr double cell = 24;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            svg.rectangle({corner.x + cell * static_cast<double>(j) + 1,
                           corner.y + cell * static_cast<double>(i) + 1},
                          cell - 2, cell - 2,
                          colours[(first_head + j / columns_a_head) % 3] + " light");
        }
    }
}

// X W_q with its columns cut, one attention a head, and the outputs side by side.
Picture heads_are_columns() {
    Svg svg(740, 300, "Heads are columns",
            "A matrix of three rows and six columns is cut into three heads of two columns each. "
            "Every head goes through an attention of its own. The three outputs stand side by side "
            "again and are multiplied by W_o.");
    svg.text({20, 30}, "cut: split_heads", "ink bold");
    svg.text({300, 30}, "each by itself", "ink bold");
    svg.text({480, 30}, "side by side: merge_heads", "ink bold");
    cells(svg, {20, 110}, 3, 6, 0, 2);
    svg.text({20, 100}, "(n, n_heads · d)", "ink small");
    for (std::size_t h = 0; h < 3; ++h) {
        const double y = 50 + 82 * static_cast<double>(h);
        cells(svg, {214, y}, 3, 2, h, 2);
        svg.text({266, y + 40}, fmt::format("head {}", h), "ink small");
        svg.arrow({168, 146}, {210, y + 36}, "faint");
        svg.arrow({316, y + 36}, {340, y + 36}, "faint");
        svg.text({346, y + 40}, "attention", "ink small");
        svg.arrow({406, y + 36}, {476, 146}, "faint");
    }
    cells(svg, {480, 110}, 3, 6, 0, 2);
    svg.arrow({628, 146}, {656, 146}, "faint");
    svg.text({662, 150}, "· W_o", "ink");
    svg.text({480, 204}, "every row: what all heads found", "ink small");
    return {"heads_are_columns", svg};
}

Point on_circle(Point centre, double radius, double angle) {
    return {centre.x + radius * std::cos(angle), centre.y - radius * std::sin(angle)};
}

/// A query and a key at two positions, each turned by its position.
void turned(Svg& svg, Point centre, int i, int j) {
    constexpr double omega = 0.5; // radians a position
    constexpr double query = 0.1; // where the two point at position 0
    constexpr double key = 0.5;
    constexpr double radius = 70;
    svg.circle(centre, radius, "faint fill-paper");
    const Point q = on_circle(centre, radius, query + omega * i);
    const Point k = on_circle(centre, radius, key + omega * j);
    svg.arrow(centre, q, "blue");
    svg.arrow(centre, k, "orange");
    std::vector<Point> arc;
    const double from = query + omega * i;
    const double to = key + omega * j;
    for (int step = 0; step <= 20; ++step) {
        arc.push_back(on_circle(centre, 34, from + (to - from) * step / 20));
    }
    svg.polyline(arc, "ink");
    const auto label = [&](Point tip, const std::string& words, const std::string& colour) {
        svg.text({tip.x + (tip.x < centre.x ? -8 : 8), tip.y + (tip.y < centre.y ? -6 : 14)}, words,
                 colour, tip.x < centre.x ? "end" : "start");
    };
    label(q, fmt::format("q at {}", i), "blue small");
    label(k, fmt::format("k at {}", j), "orange small");
}

Picture turning() {
    Svg svg(740, 256, "A query and a key are turned by their positions",
            "Three circles. A query and a key are turned by their positions: 0 and 2, 3 and 5, 0 "
            "and 5. In the first two the angle between them is the same, in the third it is "
            "larger.");
    svg.text({20, 30}, "one distance, one angle between them, one score", "ink bold");
    svg.text({510, 30}, "another distance", "ink bold");
    turned(svg, {120, 140}, 0, 2);
    turned(svg, {370, 140}, 3, 5);
    turned(svg, {610, 140}, 0, 5);
    svg.text({20, 240}, "q: a query, k: a key, each turned by half a radian a position",
             "ink small");
    return {"turning", svg};
}

// Eight heads of queries, and the heads of keys and values that they use.
void sharing_by(Svg& svg, double left, std::size_t n_kv_heads, const std::string& heading) {
    constexpr std::size_t n_heads = 8;
    constexpr double step = 27;
    svg.text({left, 30}, heading, "ink bold");
    svg.text({left, 62}, "keys, values", "ink small");
    svg.text({left, 182}, "queries", "ink small");
    const auto key_at = [&](std::size_t g) {
        const double group = static_cast<double>(n_heads) / static_cast<double>(n_kv_heads);
        return left + step * (group * (static_cast<double>(g) + 0.5) - 0.5) + 4;
    };
    for (std::size_t h = 0; h < n_heads; ++h) {
        const double x = left + step * static_cast<double>(h) + 4;
        const std::size_t g = h / (n_heads / n_kv_heads);
        svg.line({x + 8, 142}, {key_at(g) + 8, 94}, "faint");
        svg.rectangle({x, 142}, 16, 24, "fill-blue light");
    }
    for (std::size_t g = 0; g < n_kv_heads; ++g) {
        svg.rectangle({key_at(g), 70}, 16, 24, "fill-orange");
    }
}

Picture sharing() {
    Svg svg(
        740, 200, "Heads of queries share heads of keys and values",
        "Eight heads of queries. Multi-head: eight heads of keys and values, one each. Grouped: "
        "two, for four heads of queries each. Multi-query: one for all.");
    sharing_by(svg, 20, 8, "multi-head: 8");
    sharing_by(svg, 270, 2, "grouped: 2");
    sharing_by(svg, 520, 1, "multi-query: 1");
    return {"sharing", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {heads_are_columns(), turning(), sharing()};
}
