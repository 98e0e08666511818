// The pictures of this page: a block, what a cache saves, the curve of gelu, and the losses of a
// training, from the table that the walk-through wrote.

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "show/svg.hpp"

using show::Frame;
using show::Picture;
using show::Point;
using show::Svg;

namespace {

// ---- block: what goes through, and the two branches that add to it.

void box(Svg& svg, Point corner, double width, const std::string& words, const std::string& below,
         const std::string& colour) {
    svg.rectangle(corner, width, 44, colour + " light");
    svg.text({corner.x + width / 2, corner.y + 18}, words, "ink small bold", "middle");
    svg.text({corner.x + width / 2, corner.y + 34}, below, "ink small", "middle");
}

// Up from the stream at `left`, through a norm and a part, and down to a plus.
void branch(Svg& svg, double left, const std::string& part, const std::string& weights,
            const std::string& colour) {
    constexpr double stream = 192;
    svg.arrow({left, stream}, {left, 118}, "faint");
    box(svg, {left - 44, 72}, 88, "layer_norm", "gain, bias", "fill-green");
    svg.arrow({left + 46, 94}, {left + 68, 94}, "faint");
    box(svg, {left + 70, 72}, 130, part, weights, colour);
    svg.line({left + 200, 94}, {left + 222, 94}, "faint");
    svg.arrow({left + 222, 94}, {left + 222, stream - 13}, "faint");
    svg.circle({left + 222, stream}, 11, "ink fill-paper");
    svg.text({left + 222, stream + 5}, "+", "ink bold", "middle");
}

Picture block() {
    Svg svg(740, 262, "A block of a Transformer, norms in front",
            "A line from X on the left to the output on the right, of shape (n_texts · n, d). Two "
            "branches leave it and are added to it again: layer_norm and attention, which gives H, "
            "then layer_norm and the mlp, which goes from d numbers to 4d and back.");
    svg.text({30, 40}, "from other positions", "orange small");
    svg.text({370, 40}, "each position by itself, d → 4d → d", "blue small");
    svg.line({40, 192}, {285, 192}, "ink thick");
    svg.line({307, 192}, {623, 192}, "ink thick");
    svg.arrow({645, 192}, {672, 192}, "ink thick");
    branch(svg, 74, "attention", "W_q, W_k, W_v, W_o", "fill-orange");
    branch(svg, 412, "mlp", "W_in, gelu, W_out", "fill-blue");
    svg.text({30, 197}, "X", "ink bold", "end");
    svg.text({348, 182}, "H", "ink bold", "middle");
    svg.text({678, 197}, "output", "ink bold");
    svg.text({20, 228}, "X, H, output: (n_texts · n, d)", "ink small");
    svg.text({20, 248}, "What a branch computes is added to the stream; nothing replaces it.",
             "ink small");
    return {"block", svg};
}

// ---- cache: rows are queries, columns keys; what is computed for the newest of six.

void triangle(Svg& svg, Point corner, bool caches) {
    constexpr std::size_t n = 6;
    constexpr double cell = 24;
    for (std::size_t i = 0; i < n; ++i) {
        const double y = corner.y + cell * static_cast<double>(i);
        svg.text({corner.x - 8, y + 17}, fmt::format("{}", i), "ink small", "end");
        for (std::size_t j = 0; j <= i; ++j) {
            const bool computed = !caches || i + 1 == n;
            svg.rectangle({corner.x + cell * static_cast<double>(j) + 1, y + 1}, cell - 2, cell - 2,
                          computed ? "fill-scores" : "fill-paper faint");
        }
    }
    for (std::size_t j = 0; j < n; ++j) { // keys and values, above
        const double x = corner.x + cell * static_cast<double>(j);
        const bool computed = !caches || j + 1 == n;
        svg.rectangle({x + 1, corner.y - 38}, cell - 2, 28, computed ? "fill-k" : "fill-k light");
        svg.text({x + cell / 2, corner.y - 44}, fmt::format("{}", j), "ink small", "middle");
    }
    svg.text({corner.x - 8, corner.y - 20}, "key, value", "ink small", "end");
    svg.text({corner.x - 28, corner.y + 17}, "query", "ink small", "end");
    svg.text({corner.x + cell * n + 12, corner.y + cell * n - 7}, "the newest query", "ink small");
}

Picture cache() {
    Svg svg(740, 322, "What is computed for the sixth character",
            "Two triangles of scores of one head, rows are the queries 0 to 5 and columns the keys "
            "0 to 5, with their keys and values above. Without a cache all 21 scores and all six "
            "keys and values are computed. With a cache only the last row of six scores and the "
            "newest key and value are; five are kept.");
    svg.text({20, 30}, "without a cache", "ink bold");
    svg.text({390, 30}, "with a cache", "ink bold");
    triangle(svg, {92, 106}, false);
    triangle(svg, {462, 106}, true);
    svg.text({20, 276}, "6 positions projected and through the mlp,", "ink small");
    svg.text({20, 292}, "21 scores per head", "scores small");
    svg.text({390, 276}, "1 position projected and through the mlp,", "ink small");
    svg.text({390, 292}, "6 scores per head", "scores small");
    const auto legend = [&](double x, const std::string& look, const std::string& words) {
        svg.rectangle({x, 304}, 12, 12, look);
        svg.text({x + 18, 314}, words, "ink small");
    };
    legend(20, "fill-scores", "computed for character 5, the sixth");
    legend(290, "fill-k light", "kept in the cache");
    legend(450, "fill-paper faint", "computed earlier, needed no more");
    return {"cache", svg};
}

// ---- gelu

Picture gelu() {
    Svg svg(
        740, 210, "The curve of gelu",
        "gelu(x) = x Φ(x) from -4 to 4: nearly 0 on the left, least at -0.75 with -0.17, 0 at 0, "
        "0.84 at 1, and nearly the dashed line y = x on the right.");
    const Frame at{{230, 16}, 300, 160, -4, 4, -1, 4};
    for (const double x : {-4.0, -2.0, 0.0, 2.0, 4.0}) {
        svg.line(at(x, -1), at(x, 4), "faint thin");
        svg.text({at(x, -1).x, at(x, -1).y + 18}, fmt::format("{:g}", x), "ink small", "middle");
    }
    for (const double y : {0.0, 2.0, 4.0}) {
        svg.line(at(-4, y), at(4, y), "faint thin");
        svg.text({at(-4, y).x - 8, at(-4, y).y + 4}, fmt::format("{:g}", y), "ink small", "end");
    }
    std::vector<Point> curve;
    for (int i = -80; i <= 80; ++i) {
        const double x = i / 20.0;
        curve.push_back(at(x, x * std::erfc(-x / std::sqrt(2.0)) / 2));
    }
    svg.line(at(0, 0), at(4, 4), "green dashed");
    svg.polyline(curve, "blue thick");
    svg.text({at(2.4, 2.4).x - 10, at(2.4, 2.4).y - 6}, "y = x", "green small", "end");
    svg.text({at(1.6, 1).x + 12, at(1.6, 1).y + 4}, "gelu(x)", "blue small");
    svg.text({at(4, -1).x + 14, at(4, -1).y + 18}, "x", "ink small");
    return {"gelu", svg};
}

// ---- losses

struct Row {
    double step, training, validation;
};

std::vector<Row> kept_losses() {
    std::ifstream file(lesson::pictures_folder() / "losses.csv");
    std::string line;
    std::getline(file, line); // the names
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        std::vector<double> cells;
        std::istringstream words(line);
        for (std::string word; std::getline(words, word, ',');) {
            cells.push_back(std::stod(word));
        }
        rows.push_back({cells.at(0), cells.at(1), cells.at(2)});
    }
    if (rows.empty()) {
        throw std::runtime_error("losses.csv is not there, or empty");
    }
    return rows;
}

Picture losses() {
    const std::vector<Row> rows = kept_losses();
    Svg svg(740, 340, "Loss of the model against steps of training",
            "Two curves that fall together from above 1.5 nats per character, steeply at first, to "
            "0.32 after 2,000 steps. Horizontal lines mark 3.97, where all 53 characters are "
            "alike, and 3.05, the entropy of their frequencies.");
    const Frame at{{60, 50}, 640, 230, 0, rows.back().step, 0, 4.2};
    for (const double nats : {0.0, 1.0, 2.0, 3.0, 4.0}) {
        const Point left = at(0, nats);
        svg.line(left, at(at.right, nats), "faint thin");
        svg.text({left.x - 8, left.y + 4}, fmt::format("{:g}", nats), "ink small", "end");
    }
    for (const auto& [nats, words] :
         {std::pair{std::log(53.0), "all 53 characters alike: ln 53 = 3.97"},
          std::pair{3.055, "by their frequency: 3.055"}}) {
        svg.line(at(0, nats), at(at.right, nats), "green dashed");
        svg.text({at.corner.x + at.width - 4, at(0, nats).y + 16}, words, "green small", "end");
    }
    std::vector<Point> training, validation;
    const auto tick = [&](double step) {
        const Point below = at(step, 0);
        svg.text({below.x, below.y + 18}, fmt::format("{:g}", step), "ink small", "middle");
    };
    tick(0);
    for (const Row& row : rows) {
        training.push_back(at(row.step, row.training));
        validation.push_back(at(row.step, row.validation));
        tick(row.step);
    }
    svg.polyline(training, "orange thick");
    svg.polyline(validation, "blue thick");
    for (const auto& [line, look] :
         {std::pair{&training, "fill-orange"}, std::pair{&validation, "fill-blue"}}) {
        for (const Point& point : *line) {
            svg.circle(point, 3.5, look);
        }
    }
    svg.text({training[0].x + 10, training[0].y}, "training: the mean of the 250 steps before",
             "orange small");
    svg.text({validation[0].x - 10, validation[0].y + 14}, "validation", "blue small", "end");
    svg.text({at(at.right, 0).x + 4, validation.back().y - 8},
             fmt::format("{:.2f}", rows.back().validation), "blue small", "end");
    svg.text({20, 24}, "loss, nats per character", "ink bold");
    svg.text({at.corner.x + at.width / 2, 328}, "steps of training", "ink bold", "middle");
    return {"losses", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {block(), cache(), gelu(), losses()};
}
