// The picture of this page: how many steps the look-up takes to learn, from the table that the
// walk-through wrote.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
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
    svg.text({20, 46}, "scores divided by √d_k", "scaled small");
    svg.text({180, 46}, "not divided", "unscaled small");
    svg.text({275, 46}, "a dot for each of 5 seeds, a line through their medians", "ink small");
    svg.text({at.corner.x - 8, at.corner.y - 10}, "> 3000", "ink small", "end");
    svg.text({20, 72}, "hollow: not within 3,000 steps", "ink small");
    svg.text({at(4.7, 1).x, at(1, std::log10(370.0)).y},
             "from 32 on no median: at most 2 of 5 seeds get there", "unscaled small");
    draw_arm(svg, at, runs, true, "scaled");
    draw_arm(svg, at, runs, false, "unscaled");
    return {"steps_to_learn", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {steps_to_learn()};
}
