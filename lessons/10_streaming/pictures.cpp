// The pictures of this page: the plain form beside the streaming one, and the tiles of a causal
// mask.

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
    Svg svg(740, 340, "Attention in tiles",
            "Left: Q times K transposed makes all n by n scores, and these, as weights, are "
            "multiplied by V. Right: a block of queries meets one tile of keys and values after "
            "the other; of each tile only a maximum, a sum and an output are kept, and merged with "
            "those before.");
    // plain
    svg.text({20, 30}, "plain: all scores at once", "ink bold");
    box(svg, {20, 100}, 34, 150, "fill-q light", "Q");
    box(svg, {62, 58}, 150, 34, "fill-k light", "Kᵀ");
    box(svg, {62, 100}, 150, 150, "fill-scores light", "scores, weights");
    svg.text({218, 179}, "·", "ink bold");
    box(svg, {228, 100}, 34, 150, "fill-v light", "V");
    svg.arrow({268, 175}, {292, 175}, "faint");
    box(svg, {298, 100}, 46, 150, "fill-output light", "output");
    svg.text({20, 270}, "(n, d_k)", "ink small");
    svg.text({137, 270}, "(n, n)", "ink small", "middle");
    svg.text({222, 270}, "(n, d_v)", "ink small");
    svg.text({298, 270}, "(n, d_v)", "ink small");
    svg.text({220, 80}, "(d_k, n)", "ink small");
    svg.text({20, 322}, "memory: n² scores", "ink small bold");
    // streaming
    svg.text({390, 30}, "streaming: a tile at a time", "ink bold");
    box(svg, {390, 100}, 34, 58, "fill-q light", "Q");
    svg.text({382, 176}, "a block", "ink small");
    svg.text({382, 191}, "of rows", "ink small");
    for (int t = 0; t < 3; ++t) {
        const double x = 446 + 84 * t;
        svg.text({x + 33, 52}, fmt::format("tile {}", t), "ink small", "middle");
        box(svg, {x, 58}, 66, 16, "fill-k light", "K");
        box(svg, {x, 76}, 66, 16, "fill-v light", "V");
        box(svg, {x, 100}, 66, 58, t == 1 ? "fill-scores light" : "fill-paper faint",
            t == 0   ? "forgotten"
            : t == 1 ? "scores"
                     : "to come");
        svg.arrow({x + 33, 162}, {x + 33, 190}, "faint");
        svg.text({x + 33, 206}, "m, ℓ, O", "ink small", "middle");
        if (t > 0) {
            svg.arrow({x - 23, 202}, {x + 7, 202}, "faint"); // between two texts of 40
            svg.text({x - 9, 224}, "merge", "ink small", "middle");
        }
    }
    svg.arrow({647, 214}, {647, 244}, "faint");
    svg.text({730, 262}, "O / ℓ: the block's rows of output", "ink small", "end");
    svg.text({730, 280}, "m + ln ℓ: its part of logsumexp", "ink small", "end");
    svg.text({390, 322}, "memory: one tile of scores; m, ℓ, O a query", "ink small bold");
    return {"in_tiles", svg};
}

Picture causal_tiles() {
    Svg svg(740, 306, "Tiles under a causal mask",
            "Ten queries, 0 to 9, and as many keys, in tiles of four. Tiles below the diagonal are "
            "computed and seen whole, those on it are seen in part, and those above are not "
            "computed: 6 of 9 tiles, 68 of 100 scores, 55 of which are seen.");
    constexpr double cell = 22;
    constexpr int n = 10;
    constexpr int tile = 4;
    const Point corner{90, 60};
    int seen = 0, blocked = 0, never = 0;
    for (int i = 0; i < n; ++i) {
        svg.text({corner.x - 10, corner.y + cell * i + 16}, fmt::format("{}", i), "ink small",
                 "end");
        svg.text({corner.x + cell * i + cell / 2, corner.y - 8}, fmt::format("{}", i), "ink small",
                 "middle");
        for (int j = 0; j < n; ++j) {
            const bool computed = j / tile <= i / tile;
            ++(!computed ? never : j <= i ? seen : blocked);
            const std::string look = !computed ? "fill-paper faint"
                                     : j <= i  ? "fill-scores"
                                               : "fill-scores light";
            svg.rectangle({corner.x + cell * j + 1, corner.y + cell * i + 1}, cell - 2, cell - 2,
                          look);
        }
    }
    for (const int edge : {0, tile, 2 * tile, n}) {
        const double along = cell * edge;
        svg.line({corner.x + along, corner.y - 4}, {corner.x + along, corner.y + cell * n + 4},
                 "ink thin");
        svg.line({corner.x - 4, corner.y + along}, {corner.x + cell * n + 4, corner.y + along},
                 "ink thin");
    }
    svg.text({corner.x + cell * n / 2, 30}, "keys", "ink bold", "middle");
    svg.text({corner.x - 10, 52}, "queries", "ink bold", "end");
    const auto legend = [&](double y, const std::string& look, const std::string& words) {
        svg.rectangle({360, y - 14}, 18, 18, look);
        svg.text({388, y}, words, "ink small");
    };
    legend(88, "fill-scores", fmt::format("{} scores computed and seen: j ≤ i", seen));
    legend(118, "fill-scores light",
           fmt::format("{} computed, but blocked: −∞, or left out", blocked));
    legend(148, "fill-paper faint", fmt::format("{} in tiles that are not computed", never));
    svg.text({360, 196}, "tile = 4: 6 of the 9 tiles are computed", "ink small");
    return {"causal_tiles", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {in_tiles(), causal_tiles()};
}
