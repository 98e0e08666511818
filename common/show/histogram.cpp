#include "show/histogram.hpp"

#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace show {
namespace {

constexpr std::size_t widest_histogram = 100; // longer bars show no more

struct Counts {
    std::vector<std::size_t> bins;
    std::size_t below = 0, above = 0, nan = 0;
};

std::vector<double> edges_of(const HistogramOptions& options) {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= options.bins; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(options.bins);
        edges.push_back((1 - part) * options.range.low + part * options.range.high);
    }
    return edges;
}

Counts count(std::span<const double> values, const std::vector<double>& edges) {
    Counts counts;
    counts.bins.resize(edges.size() - 1);
    for (const double value : values) {
        if (std::isnan(value)) {
            ++counts.nan;
        } else if (value < edges.front()) {
            ++counts.below;
        } else if (value > edges.back()) {
            ++counts.above;
        } else {
            const auto above = std::upper_bound(edges.begin(), edges.end(), value);
            const auto bin = static_cast<std::size_t>(above - edges.begin()) - 1;
            ++counts.bins[std::min(bin, counts.bins.size() - 1)];
        }
    }
    return counts;
}

/// A bar of `length` columns, to the nearest eighth; a nonzero one is always visible.
std::string bar(double length, const Terminal& terminal) {
    if (!terminal.unicode) {
        const auto whole = static_cast<std::size_t>(std::round(length));
        return whole > 0 ? std::string(whole, '#') : length > 0 ? "." : "";
    }
    constexpr std::array eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto total = static_cast<std::size_t>(std::round(length * 8));
    const std::size_t parts = length > 0 ? std::max<std::size_t>(total, 1) : 0;
    return repeated("█", parts / 8) + eighths.at(parts % 8);
}

std::string outside_text(const Counts& counts) {
    std::string text;
    for (const auto& [number, name] :
         {std::pair{counts.below, "below"}, std::pair{counts.above, "above"},
          std::pair{counts.nan, "nan"}}) {
        if (number > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "in no bin: " : ", ", number, name);
        }
    }
    return text;
}

void draw(std::ostream& out, const std::vector<double>& edges, const Counts& counts,
          std::size_t n_values, const Terminal& terminal) {
    const NumberFormat format = format_for(edges, 4);
    const std::size_t largest = *std::max_element(counts.bins.begin(), counts.bins.end());
    const std::size_t count_width = fmt::formatted_size("{}", largest);
    std::vector<std::string> labels;
    for (const double edge : edges) {
        labels.push_back(number(edge, format, terminal));
    }
    const std::size_t label_width = widest(labels);
    const char* to = terminal.unicode ? " … " : " .. ";

    const std::size_t used = 2 * label_width + display_width(to) + count_width + 12;
    const std::size_t width = std::min(terminal.width, widest_histogram);
    const std::size_t room = width > used + 8 ? width - used : 8;
    for (std::size_t i = 0; i < counts.bins.size(); ++i) {
        const double share = static_cast<double>(counts.bins[i]) / static_cast<double>(n_values);
        const double part =
            largest == 0 ? 0 : static_cast<double>(counts.bins[i]) / static_cast<double>(largest);
        write_line(
            out,
            right_aligned(labels[i], label_width) + to + right_aligned(labels[i + 1], label_width) +
                fmt::format("  {:>{}}  {:5.1f}% ", counts.bins[i], count_width, 100 * share) +
                dim(terminal.unicode ? "│" : "|", terminal) +
                coloured(bar(part * static_cast<double>(room), terminal), Colour::blue, terminal));
    }
}

} // namespace

void histogram(std::ostream& out, std::span<const double> values, const HistogramOptions& options,
               const Terminal& terminal) {
    write_title(out, options.title,
                fmt::format("({} {})", values.size(), values.size() == 1 ? "value" : "values"),
                terminal);
    const std::vector<double> edges = edges_of(options);
    const Counts counts = count(values, edges);
    draw(out, edges, counts, std::max<std::size_t>(values.size(), 1), terminal);
    if (const std::string text = outside_text(counts); !text.empty()) {
        write_line(out, dim(text, terminal));
    }
}

} // namespace show
