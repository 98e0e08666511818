// The picture of this page: an output lies between the values that it mixes.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "attention/attention.hpp"
#include "show/svg.hpp"

using attention::Matrix;
using show::Frame;
using show::Picture;
using show::Point;
using show::Svg;

namespace {

Point row(const Matrix& M, std::size_t i, const Frame& at) {
    return at(M(i, 0), M(i, 1));
}

void axes(Svg& svg, const Frame& at) {
    svg.arrow(at(at.left, 0), at(at.right, 0), "faint");
    svg.arrow(at(0, at.bottom), at(0, at.top), "faint");
}

// Lines from an output to the values it is mixed from, each as wide as the weight.
void pull(Svg& svg, const Matrix& output, const Matrix& weights, const Matrix& V, std::size_t query,
          const Frame& at) {
    for (std::size_t j = 0; j < V.shape(0); ++j) {
        const Point from = row(output, query, at);
        const Point to = row(V, j, at);
        svg.line(from, to, weights(query, j) > 0.4 ? "orange thick" : "orange thin");
        svg.text({0.45 * from.x + 0.55 * to.x + 6, 0.45 * from.y + 0.55 * to.y - 5},
                 fmt::format("{:.3f}", weights(query, j)), "orange small");
    }
}

// "the cat sleeps": what each word gives, and what "the" and "cat" receive.
void sentence(Svg& svg) {
    const Matrix Q{{1, 0}, {0, 1}, {1, 0}};
    const Matrix K{{0, 0}, {1, 0}, {0, 1}};
    const Matrix V{{0, 0}, {4, 2}, {0, 4}};
    const Matrix weights = attention::attention_weights(Q, K);
    const Matrix output = attention::attention(Q, K, V).output;
    const Frame at{{50, 60}, 290, 250, -0.4, 4.7, -0.4, 4.6};
    svg.text({50, 30}, "“the cat sleeps”: outputs lie inside the triangle", "ink bold");
    axes(svg, at);
    svg.polygon({row(V, 0, at), row(V, 1, at), row(V, 2, at)}, "fill-blue light");
    pull(svg, output, weights, V, 0, at);
    const std::vector<std::string> words{"the", "cat", "sleeps"};
    for (std::size_t j = 0; j < 3; ++j) {
        const Point p = row(V, j, at);
        svg.circle(p, 6, "fill-blue");
        svg.text({p.x + (j == 1 ? -4 : 10), p.y + (j == 0 ? 22 : -10)},
                 words[j] + fmt::format(" [{:g} {:g}]", V(j, 0), V(j, 1)), "blue");
    }
    const Point the = row(output, 0, at);
    svg.circle(the, 6, "fill-orange");
    svg.text({the.x + 10, the.y + 20}, "“the” gets", "orange");
    svg.text({the.x + 10, the.y + 36}, fmt::format("[{:.3f} {:.3f}]", output(0, 0), output(0, 1)),
             "orange");
    const Point cat = row(output, 1, at);
    svg.circle(cat, 5, "fill-green");
    svg.text({cat.x + 9, cat.y - 8}, "“cat” gets", "green small");
}

// 04.4: the third value is the middle of the other two, so all mixtures lie on one line.
void on_a_line(Svg& svg) {
    const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
    const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
    const Frame at{{440, 60}, 260, 250, -0.12, 1.25, -0.12, 1.25};
    svg.text({440, 30}, "04.4: three values on one line", "ink bold");
    axes(svg, at);
    svg.line(row(K, 0, at), row(K, 1, at), "blue");
    for (std::size_t j = 0; j < 3; ++j) {
        const Point p = row(K, j, at);
        svg.circle(p, 6, "fill-blue");
        svg.text({p.x + 10, p.y - 8}, fmt::format("value {}", j + 1), "blue");
    }
    const Matrix output = attention::attention(Q, K, K).output;
    for (std::size_t i = 0; i < 3; ++i) {
        const Point p = row(output, i, at);
        svg.circle(p, i == 2 ? 9 : 5, i == 2 ? "orange fill-paper light" : "fill-orange");
        svg.text({p.x - 10, p.y + 20}, fmt::format("output {}", i + 1), "orange small", "end");
    }
}

Picture inside_the_hull() {
    Svg svg(740, 336, "An output lies between the values that it mixes",
            "Left: the values of the, cat and sleeps as corners of a triangle; the output of the "
            "lies inside, nearest to cat, "
            "whose weight is 0.503. Right: the three values of exercise 04.4 lie on one line, and "
            "so do all outputs; the third "
            "output is the middle, where the third value lies.");
    sentence(svg);
    on_a_line(svg);
    return {"inside_the_hull", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {inside_the_hull()};
}
