// The pictures of this page: two arrows and what their dot product sees; a sum of signed steps.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
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

constexpr double degree = std::numbers::pi / 180;

// A query along the x axis and a key at an angle to it; the key's shadow on the query is drawn
// thick.
void arrows_at(Svg& svg, double left, double angle, const std::string& heading) {
    const double q = 2; // lengths
    const double k = 1.5;
    const Frame at{{left, 36}, 220, 125, -1.65, 2.3, -0.4, 1.85};
    const Point origin = at(0, 0);
    const Point tip = at(k * std::cos(angle * degree), k * std::sin(angle * degree));
    const Point shadow = at(k * std::cos(angle * degree), 0);
    svg.text({left + 110, 30}, heading, "ink bold", "middle");
    svg.line(tip, shadow, "faint dashed");
    svg.arrow(origin, at(q, 0), "blue thick");
    svg.line({origin.x, origin.y + 9}, {shadow.x, shadow.y + 9}, "green thick");
    svg.arrow(origin, tip, "orange thick");
    std::vector<Point> arc;
    for (double a = 0; a <= angle; a += 3) {
        arc.push_back(at(0.45 * std::cos(a * degree), 0.45 * std::sin(a * degree)));
    }
    svg.polyline(arc, "ink thin");
    const double half = angle / 2 * degree;
    svg.text(at(0.6 * std::cos(half) - 0.06, 0.6 * std::sin(half)), "θ", "ink small");
    svg.text(at(q - 0.1, 0.14), "q", "blue bold", "end");
    svg.text({tip.x + 6, tip.y - 4}, "k", "orange bold");
    const double cosine = std::cos(angle * degree);
    svg.text({left + 110, 190},
             fmt::format("q · k = 2 · 1.5 · {:.2f} = {:.2f}", std::abs(cosine) < 1e-9 ? 0 : cosine,
                         std::abs(cosine) < 1e-9 ? 0 : q * k * cosine),
             "ink", "middle");
}

Picture two_arrows() {
    Svg svg(740, 224, "The dot product as length, length and angle",
            "Three times a query of length 2 and a key of length 1.5. At 30 degrees the key's "
            "shadow on the query "
            "is long and the score 2.60; at 90 degrees there is no shadow and the score is 0; at "
            "150 degrees the "
            "shadow points the other way and the score is -2.60.");
    arrows_at(svg, 20, 30, "a match");
    arrows_at(svg, 260, 90, "nothing in common");
    arrows_at(svg, 500, 150, "the opposite");
    svg.text({370, 214},
             "green: the key's shadow on the query, ‖k‖ cos θ; the score is ‖q‖ times its length",
             "green small", "middle");
    return {"two_arrows", svg};
}

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
        svg.polyline(line, "blue thin");
    }
    for (const double sign : {1.0, -1.0}) {
        std::vector<Point> root;
        for (std::size_t i = 0; i <= steps; i += 4) {
            root.push_back(at(static_cast<double>(i), sign * std::sqrt(static_cast<double>(i))));
        }
        svg.polyline(root, "orange thick");
    }
    svg.line(at(0, 0), at(50, 50), "green dashed");
    svg.text(at(54, 44), "all steps one way: d_k", "green");
    svg.text({628, at(0, 16).y + 5}, "√256 = 16", "orange");
    svg.text({628, at(0, -16).y + 5}, "−16", "orange");
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
    return {two_arrows(), random_walk()};
}
