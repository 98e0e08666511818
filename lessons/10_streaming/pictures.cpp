// The pictures of this page: two tiles merged, the plain form beside the streaming one, and the
// tiles of a causal mask.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "show/svg.hpp"

using show::Picture;
using show::Point;
using show::Svg;

namespace {

void box(Svg& svg, Point corner, double width, double height, const std::string& colour,
         const std::string& words) {
    svg.rectangle(corner, width, height, colour);
    if (!words.empty()) {
        svg.text({corner.x + width / 2, corner.y + height / 2 + 4}, words, "ink small", "middle");
    }
}

Picture in_tiles() {
    Svg svg(740, 330, "Attention in tiles",
            "Left: all queries times all keys make a matrix of n by n scores. Right: a block of "
            "queries meets one tile of keys and values after the other; of each tile only a "
            "maximum, a sum and an output are kept, and merged with those before.");
    svg.text({20, 30}, "plain: all scores at once", "ink bold");
    box(svg, {20, 90}, 30, 180, "fill-blue light", "Q");
    box(svg, {70, 50}, 180, 30, "fill-orange light", "Kᵀ");
    box(svg, {70, 90}, 180, 180, "fill-green light", "n × n");
    box(svg, {270, 90}, 30, 180, "fill-blue light", "out");
    svg.text({20, 300}, "memory: n²", "ink small");
    svg.text({380, 30}, "streaming: a tile at a time", "ink bold");
    box(svg, {380, 90}, 30, 60, "fill-blue light", "Q");
    const char* const tiles[] = {"1", "2", "3"};
    for (int t = 0; t < 3; ++t) {
        const double x = 430 + 72 * t;
        box(svg, {x, 50}, 60, 14, "fill-orange light", "");
        box(svg, {x, 66}, 60, 14, "fill-orange light", "");
        box(svg, {x, 90}, 60, 60, t == 1 ? "fill-green light" : "fill-paper faint", tiles[t]);
        svg.arrow({x + 30, 152}, {x + 30, 188}, "faint");
        svg.text({x + 30, 204}, "m, ℓ, O", "ink small", "middle");
        if (t > 0) {
            svg.arrow({x - 17, 200}, {x + 5, 200}, "faint"); // between two texts of 40
        }
    }
    svg.text({644, 62}, "K", "ink small");
    svg.text({644, 78}, "V", "ink small");
    svg.text({430, 228}, "merge, merge, …", "ink small");
    svg.arrow({604, 212}, {604, 244}, "faint");
    svg.text({604, 262}, "O / ℓ", "ink small", "middle");
    svg.text({380, 300}, "memory: one tile, and m, ℓ, O of the block", "ink small");
    return {"in_tiles", svg};
}

// ---- one_factor: "the cat" and "sleeps" of the page's example, and both merged.

/// One bar for each key that has been seen, e^(s − m) high; the outline of what it was before.
void terms(Svg& svg, double left, const std::string& heading, double maximum,
           const std::vector<double>& scores, const std::vector<double>& before) {
    constexpr double zero = 170; // pixels from the top
    constexpr double pixels = 90;
    const char* const keys[] = {"the", "cat", "sleeps"};
    svg.text({left, 30}, heading, "ink bold");
    svg.line({left, zero}, {left + 168, zero}, "faint");
    double sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double x = left + 6 + 56 * static_cast<double>(j);
        svg.text({x + 22, zero + 18}, keys[j], "ink small", "middle");
        if (std::isinf(scores[j])) {
            continue; // not in this tile
        }
        const double term = std::exp(scores[j] - maximum);
        const double old = std::isinf(before[j]) ? term : std::exp(scores[j] - before[j]);
        sum += term;
        if (old > term) {
            svg.rectangle({x, zero - pixels * old}, 44, pixels * old, "fill-paper faint");
        }
        svg.rectangle({x, zero - pixels * term}, 44, pixels * term,
                      old > term ? "fill-orange" : "fill-blue");
        svg.text({x + 22, zero - pixels * term - 5}, fmt::format("{:.3g}", term), "ink small",
                 "middle");
    }
    svg.text({left, zero + 44}, fmt::format("m = {:.3g},  ℓ = {:.4g}", maximum, sum), "ink small");
}

Picture one_factor() {
    constexpr double none = -std::numeric_limits<double>::infinity();
    const double score = 1 / std::sqrt(2.0); // of "sleeps"; those of "the" and "cat" are 0
    Svg svg(740, 232, "Two tiles merged",
            "Bars of e to the power of score less maximum. In the first tile, with the maximum 0, "
            "the and cat have 1 each. In the second, with the maximum 0.707, sleeps has 1. Merged, "
            "with the maximum 0.707, the and cat have shrunk to 0.493, and sleeps still has 1.");
    terms(svg, 20, "tile one", 0, {0, 0, none}, {none, none, none});
    terms(svg, 270, "tile two", score, {none, none, score}, {none, none, none});
    terms(svg, 520, "merged", score, {0, 0, score}, {0, 0, none});
    svg.text({520, 54}, fmt::format("tile one · e^(0 − 0.707) = {:.3g}", std::exp(-score)),
             "orange small");
    return {"one_factor", svg};
}

Picture causal_tiles() {
    Svg svg(740, 270, "Tiles under a causal mask",
            "Ten positions in tiles of four. Tiles below the diagonal are computed and seen whole, "
            "those on it are seen in part, and those above are never computed.");
    constexpr double cell = 22;
    constexpr int n = 10;
    constexpr int tile = 4;
    const Point corner{40, 30};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const bool computed = j / tile <= i / tile;
            const std::string look = !computed ? "fill-paper faint"
                                     : j <= i  ? "fill-blue light"
                                               : "fill-orange light";
            svg.rectangle({corner.x + cell * j + 1, corner.y + cell * i + 1}, cell - 2, cell - 2,
                          look);
        }
    }
    for (int t = 0; t <= n; t += tile) {
        svg.line({corner.x + cell * t, corner.y - 4},
                 {corner.x + cell * t, corner.y + cell * n + 4}, "ink thin");
        svg.line({corner.x - 4, corner.y + cell * t},
                 {corner.x + cell * n + 4, corner.y + cell * t}, "ink thin");
    }
    svg.text({40, 20}, "keys", "ink small");
    const auto legend = [&](double y, const std::string& look, const std::string& words) {
        svg.rectangle({320, y - 14}, 18, 18, look);
        svg.text({348, y}, words, "ink small");
    };
    legend(70, "fill-blue light", "computed and seen");
    legend(100, "fill-orange light", "computed, seen by nobody: −∞, or left out");
    legend(130, "fill-paper faint", "never computed");
    svg.text({320, 170}, fmt::format("tiles of {}, {} positions: 6 of 9 tiles", tile, n),
             "ink small");
    return {"causal_tiles", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {one_factor(), in_tiles(), causal_tiles()};
}
