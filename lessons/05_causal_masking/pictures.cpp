// The picture of this page: who may look where.

#include <algorithm>
#include <string>
#include <vector>

#include "attention/masks.hpp"
#include "show/svg.hpp"

using attention::Mask;
using show::Picture;
using show::Svg;

namespace {

constexpr double cell = 26; // pixels

// A row for each query, a column for each key: blue where the query may look.
void grid(Svg& svg, double left, const Mask& mask, const std::vector<std::string>& words,
          const std::string& heading) {
    const std::size_t n = mask.shape(0);
    const double top = 92;
    svg.text({left, 30}, heading, "ink bold");
    svg.text({left, 48}, "rows are queries, columns are keys", "ink small");
    for (std::size_t i = 0; i < n; ++i) {
        const double y = top + cell * static_cast<double>(i);
        bool sees_any = false;
        for (std::size_t j = 0; j < n; ++j) {
            const double x = left + 50 + cell * static_cast<double>(j);
            sees_any = sees_any || mask(i, j);
            svg.rectangle({x + 1, y + 1}, cell - 2, cell - 2,
                          mask(i, j) ? "fill-blue" : "fill-faint light");
        }
        svg.text({left + 44, y + 17}, words[i], "ink small", "end");
        svg.text({left + 50 + cell * (static_cast<double>(i) + 0.5), top - 6}, words[i],
                 "ink small", "middle");
        if (!sees_any) {
            svg.text({left + 54 + cell * static_cast<double>(n), y + 17}, "sees nothing",
                     "orange small");
        }
    }
}

Picture masks() {
    Svg svg(740, 262, "A causal mask, a mask for padding on the left, and both",
            "Three grids of 5 by 5. Causal: blue on and below the diagonal. Left padding of two: "
            "the first two columns are "
            "blocked for everyone. Both together: the rows of the two padding positions have no "
            "allowed key left.");
    const std::size_t n = 5;
    const Mask causal = attention::causal_mask(n);
    Mask padding = Mask::from_shape({n, n});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            padding(i, j) = j >= 2;
        }
    }
    const Mask both = causal && padding;
    const std::vector<std::string> tokens{"0", "1", "2", "3", "4"};
    const std::vector<std::string> padded{"pad", "pad", "the", "cat", "…"};
    grid(svg, 10, causal, tokens, "causal: nobody sees ahead");
    grid(svg, 250, padding, padded, "two pads on the left");
    grid(svg, 470, both, padded, "both: two rows see nothing");
    svg.text({360, 250}, "blue: 1, attend", "blue small", "end");
    svg.text({380, 250}, "grey: 0, blocked, a score of −∞", "ink small");
    return {"masks", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {masks()};
}
