#include "show/axis.hpp"

#include <cmath>
#include <limits>

namespace show {
namespace {

Range positive_range(std::span<const double> values) {
    std::vector<double> positive;
    for (const double value : values) {
        if (value > 0) {
            positive.push_back(value);
        }
    }
    const Range range = range_of(positive);
    if (range.low > 0) {
        return range;
    }
    // A single value, widened below zero; or none.
    const double middle = (range.low + range.high) / 2;
    return positive.empty() ? Range{1, 10} : Range{middle / 2, middle * 2};
}

Range widened(const Range& range, bool logarithmic, double step) {
    if (!logarithmic) {
        return {multiple(std::floor(range.low / step + 1e-9), step),
                multiple(std::ceil(range.high / step - 1e-9), step)};
    }
    return {std::pow(10, std::floor(std::log10(range.low) + 1e-9)),
            std::pow(10, std::ceil(std::log10(range.high) - 1e-9))};
}

} // namespace

Axis::Axis(std::span<const double> values, bool logarithmic, std::optional<Range> range,
           std::size_t most, bool rounded)
    : logarithmic_(logarithmic) {
    range_ = range ? *range : logarithmic ? positive_range(values) : range_of(values);
    const double step = round_step(range_, most); // before it is widened, which would coarsen it
    if (rounded && !range) {
        range_ = widened(range_, logarithmic, step);
    }
    ticks_ = logarithmic ? log_ticks(range_, most) : linear_ticks(range_, step);
}

double Axis::place(double value) const {
    if (!std::isfinite(value) || (logarithmic_ && value <= 0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (logarithmic_) {
        const double low = std::log10(range_.low);
        return (std::log10(value) - low) / (std::log10(range_.high) - low);
    }
    return (value - range_.low) / (range_.high - range_.low);
}

std::vector<std::string> Axis::labels(const Terminal& terminal) const {
    const NumberFormat common = format_for(ticks_, 15);
    std::vector<std::string> labels;
    for (const double tick : ticks_) {
        // Powers of ten differ too much for a common number of decimals.
        labels.push_back(logarithmic_ ? number(tick, 6, terminal) : number(tick, common, terminal));
    }
    return labels;
}

} // namespace show
