// The pictures of this page: a gradient on its way back through a softmax, and how many steps the
// look-up takes to learn, from the table that the walk-through wrote.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "show/svg.hpp"

using show::Frame;
using show::Picture;
using show::Point;
using show::Svg;

namespace {

// ---- way_back: weights, d_weights, less its weighted mean, times the weights.

std::string signed_number(double x) {
    return x < 0 ? fmt::format("−{:.3g}", -x) : fmt::format("{:.3g}", x);
}

/// A bar for each key. at: its left and right are pixels, its bottom and top numbers.
void bars(Svg& svg, const Frame& at, const std::string& heading, const std::string& below,
          const std::vector<double>& numbers, const std::vector<std::string>& words,
          const std::string& colour) {
    svg.text({at.left, 30}, heading, "ink bold");
    svg.text({at.left, 50}, below, "ink small");
    for (std::size_t j = 0; j < numbers.size(); ++j) {
        const double x = at.left + 6 + 46 * static_cast<double>(j);
        const Point end = at(x, numbers[j]);
        const double zero = at(x, 0).y;
        svg.rectangle({end.x, std::min(end.y, zero)}, 34, std::max(std::abs(end.y - zero), 1.0),
                      colour);
        svg.text({end.x + 17, numbers[j] < 0 ? end.y + 15 : end.y - 5}, words[j], "ink small",
                 "middle");
        svg.text({end.x + 17, 296}, fmt::format("key {}", j), "ink small", "middle");
    }
}

/// Lines at these numbers, which are written at the left.
void scale(Svg& svg, const Frame& at, const std::vector<std::pair<double, std::string>>& ticks) {
    for (const auto& [number, words] : ticks) {
        const Point left = at(at.left, number);
        svg.line(left, at(at.right, number), number == 0 ? "faint" : "faint thin");
        svg.text({left.x - 8, left.y + 4}, words, "ink small", "end");
    }
}

Picture way_back() {
    const std::vector<double> p{1.0 / 2, 1.0 / 3, 1.0 / 6}, g{6, 0, 0};
    double mean = 0;
    for (std::size_t j = 0; j < 3; ++j) {
        mean += p[j] * g[j];
    }
    std::vector<double> less, out;
    for (std::size_t j = 0; j < 3; ++j) {
        less.push_back(g[j] - mean);
        out.push_back(p[j] * less[j]);
    }
    const auto written = [](const std::vector<double>& numbers) {
        std::vector<std::string> words;
        std::transform(numbers.begin(), numbers.end(), std::back_inserter(words), signed_number);
        return words;
    };
    Svg svg(740, 344, "A gradient's way back through a softmax",
            "Bars for three keys, four times. The weights are 1/2, 1/3 and 1/6. d_weights is 6, 0 "
            "and 0. Less its weighted mean of 3 it is 3, -3 and -3. Times the weights it is "
            "d_scores: 1.5, -1 and -0.5, which sum to 0.");
    // The weights have a scale of their own; the other three share one.
    const Frame of_weights{{40, 85}, 140, 116, 40, 180, 0, 1};
    const Frame of_gradients{{236, 85}, 490, 174, 236, 726, -3, 6};
    scale(svg, of_weights, {{0, "0"}, {0.5, "½"}, {1, "1"}});
    scale(svg, of_gradients, {{-3, "−3"}, {0, "0"}, {3, "3"}, {6, "6"}});
    const auto panel = [](Frame frame, double left) {
        frame.corner.x = frame.left = left;
        frame.width = 140;
        frame.right = left + 140;
        return frame;
    };
    bars(svg, of_weights, "weights", "p", p, {"1/2", "1/3", "1/6"}, "fill-blue");
    bars(svg, panel(of_gradients, 240), "d_weights", "g", g, written(g), "fill-orange");
    bars(svg, panel(of_gradients, 410), "g − Σ p g", fmt::format("Σ p g = ½ · 6 = {:g}", mean),
         less, written(less), "fill-orange");
    bars(svg, panel(of_gradients, 580), "d_scores", fmt::format("p ∘ (g − {:g})", mean), out,
         written(out), "fill-green");
    svg.text({726, 330}, "d_scores sums to 0: raising all scores alike changes no weight",
             "green small", "end");
    return {"way_back", svg};
}

// ---- steps_to_learn

struct Run {
    double d_k, scaled, rate, steps;
};

/// The table as the walk-through writes it: d_k, scaled, rate, seed, steps.
std::vector<Run> kept_runs() {
    std::ifstream file(lesson::pictures_folder() / "steps_to_learn.csv");
    std::string line;
    std::getline(file, line); // the names
    std::vector<Run> runs;
    while (std::getline(file, line)) {
        std::vector<double> cells;
        std::istringstream words(line);
        for (std::string word; std::getline(words, word, ',');) {
            cells.push_back(std::stod(word));
        }
        runs.push_back({cells.at(0), cells.at(1), cells.at(2), cells.at(4)});
    }
    if (runs.empty()) {
        throw std::runtime_error("steps_to_learn.csv is not there, or empty");
    }
    return runs;
}

/// A dot for each seed, in a column of its own beside its d_k, hollow above the top line where it
/// never got there; and a line through the medians, as far as there are any.
void draw_arm(Svg& svg, const Frame& at, const std::vector<Run>& runs, bool scaled,
              const std::string& colour) {
    std::map<double, std::vector<double>> by_dk;
    for (const Run& run : runs) {
        if ((run.scaled != 0) == scaled) {
            by_dk[run.d_k].push_back(run.steps);
        }
    }
    std::vector<Point> line;
    for (auto& [d_k, steps] : by_dk) {
        const double width = 5 * static_cast<double>(steps.size());
        const double left = at(std::log2(d_k), 1).x + (scaled ? -width - 2 : 2);
        for (std::size_t seed = 0; seed < steps.size(); ++seed) {
            const double x = left + 5 * static_cast<double>(seed) + 2.5;
            const bool reached = std::isfinite(steps[seed]);
            const double y = reached ? at(1, std::log10(steps[seed])).y : at.corner.y - 14;
            svg.circle({x, y}, 3, reached ? "fill-" + colour : colour + " fill-paper");
        }
        std::sort(steps.begin(), steps.end());
        if (const double median = steps[steps.size() / 2]; std::isfinite(median)) {
            line.push_back({left + width / 2, at(1, std::log10(median)).y});
        }
    }
    if (line.size() > 1) {
        svg.polyline(line, colour + " thick");
    }
}

Picture steps_to_learn() {
    const std::vector<Run> runs = kept_runs();
    Svg svg(740, 440, "Steps until the look-up is learned, against d_k",
            "Two sets of points on logarithmic axes, d_k from 4 to 1024 and steps from 10 to 3000, "
            "five seeds each. With the division by the root of d_k the median stays at some dozens "
            "of steps. Without it the median grows up to d_k = 16, and from 32 on at most two of "
            "five seeds get there.");
    const Frame at{{70, 110}, 650, 270, 1.5, 10.5, 1, std::log10(3000.0)};
    for (const double steps : {10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0}) {
        const Point left = at(at.left, std::log10(steps));
        svg.line(left, at(at.right, std::log10(steps)), "faint thin");
        svg.text({left.x - 8, left.y + 4}, fmt::format("{:g}", steps), "ink small", "end");
    }
    for (int power = 2; power <= 10; ++power) {
        const Point below = at(power, at.bottom);
        svg.text({below.x, below.y + 18}, fmt::format("{}", 1 << power), "ink small", "middle");
    }
    svg.text({at(6, 1).x, 424}, "d_k", "ink bold", "middle");
    svg.text({20, 24}, "steps to a loss of 0.1", "ink bold");
    svg.text({20, 46}, "scores divided by √d_k", "blue small");
    svg.text({180, 46}, "not divided", "orange small");
    svg.text({275, 46}, "a dot for each of 5 seeds, a line through their medians", "ink small");
    svg.text({at.corner.x - 8, at.corner.y - 10}, "> 3000", "ink small", "end");
    svg.text({20, 72}, "hollow: not within 3,000 steps", "ink small");
    svg.text({at(4.7, 1).x, at(1, std::log10(370.0)).y},
             "from 32 on no median: at most 2 of 5 seeds get there", "orange small");
    draw_arm(svg, at, runs, true, "blue");
    draw_arm(svg, at, runs, false, "orange");
    return {"steps_to_learn", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {way_back(), steps_to_learn()};
}
