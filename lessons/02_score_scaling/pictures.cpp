// The picture of this page: a sum of signed steps.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "show/svg.hpp"

using show::Frame;
using show::Picture;
using show::Point;
using show::Svg;

namespace {

// Where each of `walks` walks stands after 0 … steps steps of +1 or −1.
std::vector<std::vector<int>> random_walks(std::size_t walks, std::size_t steps) {
    std::mt19937_64 bits(7);
    std::vector<std::vector<int>> all(walks, std::vector<int>(steps + 1, 0));
    for (auto& walk : all) {
        for (std::size_t i = 0; i < steps; ++i) {
            walk[i + 1] = walk[i] + ((bits() >> 63) != 0 ? 1 : -1);
        }
    }
    return all;
}

Picture random_walk() {
    constexpr std::size_t steps = 256;
    const auto walks = random_walks(60, steps);
    const auto within = std::count_if(walks.begin(), walks.end(),
                                      [](const auto& walk) { return std::abs(walk.back()) <= 16; });
    Svg svg(740, 330, "Sums of signed steps spread like the root of their number",
            fmt::format("Sixty random walks of 256 steps of +1 or -1. The curves of plus and minus "
                        "the root of the "
                        "number of steps hold most of them: {} of 60 end between -16 and 16; the "
                        "line of all steps "
                        "in one direction leaves the picture at once.",
                        within));
    const Frame at{{60, 40}, 560, 240, 0, steps, -50, 50};
    svg.text({60, 24},
             "A score sums d_k products of either sign. Here: 60 sums of steps of +1 or −1",
             "ink bold");
    for (const auto& walk : walks) {
        std::vector<Point> line;
        for (std::size_t i = 0; i <= steps; i += 4) {
            line.push_back(at(static_cast<double>(i), walk[i]));
        }
        svg.polyline(line, "unscaled thin");
    }
    for (const double sign : {1.0, -1.0}) {
        std::vector<Point> root;
        for (std::size_t i = 0; i <= steps; i += 4) {
            root.push_back(at(static_cast<double>(i), sign * std::sqrt(static_cast<double>(i))));
        }
        svg.polyline(root, "ink dashed");
    }
    svg.line(at(0, 0), at(50, 50), "faint dashed");
    svg.text(at(54, 44), "all steps one way: d_k", "ink small");
    svg.text({628, at(0, 16).y + 5}, "√256 = 16", "ink");
    svg.text({628, at(0, -16).y + 5}, "−16", "ink");
    svg.text({628, at(0, 0).y + 5}, fmt::format("{} of 60", within), "ink");
    svg.text({628, at(0, 0).y + 21}, "within", "ink");
    svg.line(at(0, 0), at(steps, 0), "faint");
    for (const int d : {0, 64, 128, 192, 256}) {
        svg.text({at(d, 0).x, 298}, std::to_string(d), "ink small", "middle");
    }
    for (const int y : {-32, -16, 0, 16, 32}) {
        svg.text({52, at(0, y).y + 4}, y < 0 ? fmt::format("−{}", -y) : std::to_string(y),
                 "ink small", "end");
    }
    svg.text({340, 320}, "number of terms, d_k", "ink small", "middle");
    return {"random_walk", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {random_walk()};
}
