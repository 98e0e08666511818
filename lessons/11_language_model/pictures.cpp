// The pictures of this page: a block, what a cache saves, what temperature and cuts do to a
// distribution, and the losses of a training, from the table that the walk-through wrote.

#include <algorithm>
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

void box(Svg& svg, Point corner, double width, const std::string& words,
         const std::string& colour) {
    svg.rectangle(corner, width, 34, colour + " light");
    svg.text({corner.x + width / 2, corner.y + 22}, words, "ink small", "middle");
}

// Up from the stream at `left`, through a norm and a part, and down to a plus.
void branch(Svg& svg, double left, const std::string& part, const std::string& colour) {
    constexpr double stream = 172;
    svg.arrow({left, stream}, {left, 104}, "faint");
    box(svg, {left - 42, 68}, 84, "layer_norm", "fill-green");
    svg.arrow({left + 42, 85}, {left + 64, 85}, "faint");
    box(svg, {left + 66, 68}, 116, part, colour);
    svg.line({left + 182, 85}, {left + 212, 85}, "faint");
    svg.arrow({left + 212, 85}, {left + 212, stream - 13}, "faint");
    svg.circle({left + 212, stream}, 11, "ink fill-paper");
    svg.text({left + 212, stream + 5}, "+", "ink bold", "middle");
}

Picture block() {
    Svg svg(740, 236, "A block of a Transformer, norms in front",
            "A line from X on the left to the result on the right. Two branches leave it and are "
            "added to it again: layer_norm and attention, which gives H, then layer_norm and the "
            "mlp.");
    svg.text({86, 44}, "from other positions", "orange small");
    svg.text({410, 44}, "each position by itself", "blue small");
    svg.line({40, 172}, {287, 172}, "ink thick");
    svg.line({309, 172}, {611, 172}, "ink thick");
    svg.arrow({633, 172}, {700, 172}, "ink thick");
    branch(svg, 86, "attention, W_o", "fill-orange");
    branch(svg, 410, "W_in, gelu, W_out", "fill-blue");
    svg.text({30, 177}, "X", "ink bold", "end");
    svg.text({350, 164}, "H", "ink bold", "middle");
    svg.text({20, 222}, "the stream is added to, and never replaced", "ink small");
    return {"block", svg};
}

// ---- cache: rows are queries, columns keys; what is computed for the newest of six.

void triangle(Svg& svg, Point corner, bool caches) {
    constexpr std::size_t n = 6;
    constexpr double cell = 24;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const bool computed = !caches || i + 1 == n;
            svg.rectangle({corner.x + cell * static_cast<double>(j) + 1,
                           corner.y + cell * static_cast<double>(i) + 1},
                          cell - 2, cell - 2, computed ? "fill-orange" : "fill-faint light");
        }
    }
    for (std::size_t j = 0; j < n; ++j) { // keys and values, above
        const bool computed = !caches || j + 1 == n;
        svg.rectangle({corner.x + cell * static_cast<double>(j) + 1, corner.y - 38}, cell - 2, 28,
                      computed ? "fill-orange" : "fill-blue light");
    }
}

Picture cache() {
    Svg svg(740, 258, "What is computed for the sixth character",
            "Two triangles of scores, rows are queries and columns keys, with six keys and values "
            "above. Without a cache all 21 scores and all six keys are computed. With a cache only "
            "the last row of six scores and the newest key are.");
    svg.text({30, 30}, "without a cache", "ink bold");
    svg.text({390, 30}, "with a cache", "ink bold");
    triangle(svg, {30, 90}, false);
    triangle(svg, {390, 90}, true);
    svg.text({190, 72}, "keys, values", "ink small");
    svg.text({190, 227}, "← the newest query", "ink small");
    svg.text({550, 72}, "five kept, one new", "ink small");
    svg.text({550, 227}, "← the newest query", "ink small");
    svg.text({30, 250}, "21 scores, 6 projections, 6 mlps", "orange small");
    svg.text({390, 250}, "6 scores, 1 projection, 1 mlp", "orange small");
    return {"cache", svg};
}

// ---- dice: four characters with the logits 3, 2, 1, 0.

std::vector<double> softmax(double temperature) {
    std::vector<double> p;
    double sum = 0;
    for (const double logit : {3.0, 2.0, 1.0, 0.0}) {
        p.push_back(std::exp(logit / temperature));
        sum += p.back();
    }
    for (double& each : p) {
        each /= sum;
    }
    return p;
}

std::vector<double> first_of(std::vector<double> p, std::size_t n_kept) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = i < n_kept ? p[i] : 0;
        sum += p[i];
    }
    for (double& each : p) {
        each /= sum;
    }
    return p;
}

void bars(Svg& svg, double left, const std::string& heading, const std::vector<double>& p,
          const std::string& colour) {
    constexpr double zero = 176;
    svg.text({left, 30}, heading, "ink bold small");
    svg.line({left, zero}, {left + 124, zero}, "faint");
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double x = left + 32 * static_cast<double>(i);
        const double height = 120 * p[i];
        if (p[i] > 0) {
            svg.rectangle({x, zero - height}, 27, std::max(height, 1.0), colour);
        }
        svg.text({x + 13, zero - height - 5}, p[i] > 0 ? fmt::format("{:.2f}", p[i]) : "–",
                 "ink small", "middle");
        svg.text({x + 13, zero + 17}, fmt::format("{}", 3 - static_cast<int>(i)), "ink small",
                 "middle");
    }
}

Picture dice() {
    Svg svg(740, 222, "Temperature and cuts",
            "Five distributions over four characters with the logits 3, 2, 1 and 0. Temperature "
            "1: 0.64, 0.24, 0.09, 0.03. Temperature one half is sharper, 2 is flatter. top_k 2 "
            "keeps two characters, top_p 0.9 keeps three.");
    bars(svg, 20, "T = 1", softmax(1), "fill-blue");
    bars(svg, 164, "T = 0.5", softmax(0.5), "fill-orange");
    bars(svg, 308, "T = 2", softmax(2), "fill-orange");
    bars(svg, 452, "T = 1, top_k = 2", first_of(softmax(1), 2), "fill-green");
    bars(svg, 596, "T = 1, top_p = 0.9", first_of(softmax(1), 3), "fill-green");
    svg.text({20, 212}, "four characters by their logits; – never comes", "ink small");
    return {"dice", svg};
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
    Svg svg(740, 330, "Loss of the model against steps of training",
            "Two curves that fall together from above 1.5 nats a character, steeply at first. "
            "Horizontal lines mark what guessing gives, 3.97, and what counting characters gives, "
            "3.05.");
    const Frame at{{60, 50}, 650, 220, 0, rows.back().step, 0, 4.2};
    for (const double nats : {0.0, 1.0, 2.0, 3.0, 4.0}) {
        const Point left = at(0, nats);
        svg.line(left, at(at.right, nats), "faint thin");
        svg.text({left.x - 8, left.y + 4}, fmt::format("{:g}", nats), "ink small", "end");
    }
    for (const auto& [nats, words] :
         {std::pair{std::log(53.0), "guessing among 53 characters: ln 53 = 3.97"},
          std::pair{3.05, "counting single characters: 3.05"}}) {
        svg.line(at(0, nats), at(at.right, nats), "green dashed");
        svg.text({at.corner.x + at.width - 4, at(0, nats).y - 6}, words, "green small", "end");
    }
    std::vector<Point> training, validation;
    for (const Row& row : rows) {
        training.push_back(at(row.step, row.training));
        validation.push_back(at(row.step, row.validation));
        const Point below = at(row.step, 0);
        svg.text({below.x, below.y + 18}, fmt::format("{:g}", row.step), "ink small", "middle");
    }
    svg.polyline(training, "orange thick");
    svg.polyline(validation, "blue thick");
    svg.text({20, 24}, "nats a character", "ink bold");
    svg.text({160, 24}, "training, mean since the point before", "orange small");
    svg.text({400, 24}, "validation", "blue small");
    svg.text({385, 318}, "steps", "ink", "middle");
    return {"losses", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {block(), cache(), dice(), losses()};
}
