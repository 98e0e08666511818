// The picture of this page: 64 scores under a bell, and where the softmax would like to look.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "attention/random.hpp"
#include "attention/softmax.hpp"
#include "show/svg.hpp"

using attention::Matrix;
using show::Frame;
using show::Picture;
using show::Point;
using show::Svg;

namespace {

double bell(double x, double mean, double variance) {
    return std::exp(-(x - mean) * (x - mean) / (2 * variance)) /
           std::sqrt(2 * std::numbers::pi * variance);
}

std::vector<Point> curve(const Frame& at, double mean, double variance) {
    std::vector<Point> points;
    for (double x = at.left; x <= at.right + 1e-9; x += (at.right - at.left) / 200) {
        points.push_back(at(x, bell(x, mean, variance)));
    }
    return points;
}

// Scores of the given variance: their bell, 64 of them as dots sized by weight, and the bell tilted
// by eˢ.
void panel(Svg& svg, double top, double variance, const std::string& heading) {
    const double deviation = std::sqrt(variance);
    const Frame at{{30, top + 34}, 680, 118, -13, 19, 0, 0.46 / deviation};
    const Matrix scores = deviation * attention::standard_normal(1, 64, 10);
    const Matrix weights = attention::softmax_rows(scores);
    svg.text({30, top + 18}, heading, "ink bold");
    svg.polygon(curve(at, 0, variance), "fill-scores light");
    svg.polyline(curve(at, 0, variance), "scores");
    svg.polyline(curve(at, variance, variance), "ink dashed");
    svg.line(at(at.left, 0), at(at.right, 0), "faint");
    for (std::size_t j = 0; j < 64; ++j) {
        svg.circle(at(scores(0, j), 0), 2 + 12 * std::sqrt(weights(0, j)), "fill-weights light");
        svg.circle(at(scores(0, j), 0), 1.5, "fill-weights");
    }
    const double largest = *std::max_element(scores.begin(), scores.end());
    const Point last = at(largest, 0);
    svg.text({last.x, last.y + 26}, fmt::format("the last dot, {:.1f}", largest), "weights small",
             "middle");
    svg.text({at(variance, 0).x + 46 / deviation, at(0, 0.40 / deviation).y - 4},
             fmt::format("tilted by eˢ: around σ² = {:g}", variance), "ink");
}

Picture tilted_bell() {
    Svg svg(740, 432, "Why the estimate of the entropy fails",
            "Two panels of 64 scores under their bell curve, dots as large as their softmax "
            "weight. With variance 1 the bell tilted "
            "by e to the s is centred at 1, among the dots. With variance 8 it is centred at 8, "
            "beyond the last dot: the estimate "
            "counts keys that are not there.");
    panel(svg, 8, 1, "σ² = 1, as scaled scores have: the tilted bell is among the dots");
    panel(svg, 200, 8, "σ² = 8, as raw scores have at d_k = 8: there are hardly any dots there");
    svg.text({30, 398}, "the bell: how the scores are spread", "scores small");
    svg.text({710, 398}, "dots: 64 scores, the larger the dot the larger the weight",
             "weights small", "end");
    svg.text({30, 418},
             "dashed, the bell times eˢ: where the weight would be as the number of keys grows",
             "ink small");
    return {"tilted_bell", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {tilted_bell()};
}
