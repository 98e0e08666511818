// The pictures of this page: a gradient on its way back through a softmax, and how many steps the
// look-up takes to learn, from the table that the walk-through wrote.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
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

// ---- way_back: weights, what comes in, less its weighted mean, times the weights.

std::string signed_number(double x) {
    return x < 0 ? fmt::format("−{:.3g}", -x) : fmt::format("{:.3g}", x);
}

void bars(Svg& svg, double left, const std::string& heading, const std::vector<double>& numbers,
          double pixels, const std::string& colour) {
    const double zero = 170; // pixels from the top
    svg.text({left, 30}, heading, "ink bold small");
    svg.line({left, zero}, {left + 140, zero}, "faint");
    for (std::size_t j = 0; j < numbers.size(); ++j) {
        const double x = left + 6 + 46 * static_cast<double>(j);
        const double height = pixels * numbers[j];
        svg.rectangle({x, zero - std::max(height, 0.0)}, 34, std::max(std::abs(height), 1.0),
                      colour);
        svg.text({x + 17, height < 0 ? zero - height + 15 : zero - height - 5},
                 signed_number(numbers[j]), "ink small", "middle");
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
    Svg svg(740, 282, "A gradient's way back through a softmax",
            "Bars for three keys, four times. The weights are 1/2, 1/3 and 1/6. The gradient that "
            "comes in is 6, 0 and 0. Less its weighted mean of 3 it is 3, -3 and -3. Times the "
            "weights it goes out as 1.5, -1 and -0.5, which sum to 0.");
    bars(svg, 20, "weights p", p, 100, "fill-blue");
    bars(svg, 205, "what comes in, g", g, 18, "fill-orange");
    bars(svg, 390, fmt::format("less the mean Σ p g = {:g}", mean), less, 18, "fill-orange");
    bars(svg, 575, "times p: what goes out", out, 18, "fill-green");
    svg.text({370, 272}, "what goes out sums to 0: raising all scores alike changes no weight",
             "green small", "middle");
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
        std::sort(steps.begin(), steps.end());
        const double x = std::log2(d_k);
        double missing = 0;
        for (const double each : steps) {
            const bool reached = std::isfinite(each);
            const Point point = reached ? at(x, std::log10(each)) : at(x, at.top);
            svg.circle(
                {point.x + (scaled ? -3.0 : 3.0), reached ? point.y : point.y - 8 * ++missing}, 3,
                "fill-" + colour + " light");
        }
        if (const double median = steps[steps.size() / 2]; std::isfinite(median)) {
            line.push_back(at(x, std::log10(median)));
        }
    }
    if (line.size() > 1) {
        svg.polyline(line, colour + " thick");
    }
}

Picture steps_to_learn() {
    const std::vector<Run> runs = kept_runs();
    Svg svg(
        740, 420, "Steps until the look-up is learned, against d_k",
        "Two sets of points on logarithmic axes, d_k from 4 to 1024 and steps from 10 to 3000. "
        "With the division by the root of d_k the median stays at some dozens of steps. Without "
        "it the median grows up to d_k = 16, and from 32 on at most two of five runs get there.");
    const Frame at{{70, 90}, 640, 270, 1.7, 10.3, 1, std::log10(3000.0)};
    for (const double steps : {10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0}) {
        const Point left = at(at.left, std::log10(steps));
        svg.line(left, at(at.right, std::log10(steps)), "faint");
        svg.text({left.x - 8, left.y + 4}, fmt::format("{:g}", steps), "ink small", "end");
    }
    for (int power = 2; power <= 10; ++power) {
        const Point below = at(power, at.bottom);
        svg.text({below.x, below.y + 18}, fmt::format("{}", 1 << power), "ink small", "middle");
    }
    svg.text({at(6, 1).x, 408}, "d_k", "ink", "middle");
    svg.text({20, 24}, "steps to a loss of 0.1", "ink bold");
    svg.text({20, 44}, "with √d_k", "blue small");
    svg.text({100, 44}, "without", "orange small");
    svg.text({at(10.3, 1).x, 24}, "above the top line: not within 3,000 steps", "ink small", "end");
    draw_arm(svg, at, runs, true, "blue");
    draw_arm(svg, at, runs, false, "orange");
    return {"steps_to_learn", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {way_back(), steps_to_learn()};
}
