// The picture of this page: one score rises, and all weights move.

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "attention/softmax.hpp"
#include "show/svg.hpp"

using attention::Matrix;
using show::Picture;
using show::Svg;

namespace {

std::string signed_number(double x) {
    return x < 0 ? fmt::format("−{:g}", -x) : fmt::format("{:g}", x);
}

// Scores above, weights below, a bar for each key. The first key is the one that rises.
void panel(Svg& svg, double left, const Matrix& scores) {
    const Matrix weights = attention::softmax_rows(scores);
    const double zero = 130;  // pixels from the top: a score of 0
    const double floor = 310; // a weight of 0
    svg.line({left, zero}, {left + 152, zero}, "faint");
    svg.line({left, floor}, {left + 152, floor}, "faint");
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        const double x = left + 8 + 36 * static_cast<double>(j);
        const std::string colour = j == 0 ? "fill-orange" : "fill-blue";
        const double score = 20 * scores(0, j); // pixels
        svg.rectangle({x, zero - std::max(score, 0.0)}, 28, std::max(std::abs(score), 1.0), colour);
        svg.text({x + 14, score < 0 ? zero - score + 14 : zero - score - 5},
                 signed_number(scores(0, j)), "ink small", "middle");
        const double weight = 110 * weights(0, j);
        svg.rectangle({x, floor - weight}, 28, weight, colour);
        svg.text({x + 14, floor - weight - 5}, fmt::format("{:.2f}", weights(0, j)), "ink small",
                 "middle");
    }
}

Picture rising_score() {
    Svg svg(740, 352, "One score rises, and all weights move",
            "Bars of four scores and of their softmax weights, four times. The first score rises "
            "from 0 to 1, 2 and 4, the "
            "others stay at 1, 0 and -1. Its weight rises from 0.20 to 0.40, 0.64 and 0.93; the "
            "others fall, and keep their "
            "proportions to each other.");
    svg.text({20, 26}, "scores: only the first one moves", "ink bold");
    svg.text({20, 188}, "weights: all of them move, and still sum to 1", "ink bold");
    double left = 20;
    for (const double rising : {0.0, 1.0, 2.0, 4.0}) {
        panel(svg, left, {{rising, 1, 0, -1}});
        left += 182;
    }
    svg.text({370, 340},
             "the blue scores do not move: their weights shrink, but keep their proportions to "
             "each other",
             "blue small", "middle");
    return {"rising_score", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {rising_score()};
}
