#pragma once

#include "show/numbers.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace show {

/// One axis of a chart: the positions of values, and the values that are written.
class Axis {
public:
    /// For the finite values, and on a logarithmic axis only the positive ones; or for the given
    /// range. About `most` ticks; with `rounded` the axis is widened to end on ticks.
    Axis(std::span<const double> values, bool logarithmic, std::optional<Range> range,
         std::size_t most, bool rounded);

    /// 0 at the axis's lower end, 1 at its upper; NaN for what has no place on it.
    double place(double value) const;

    const std::vector<double>& ticks() const { return ticks_; }
    std::vector<std::string> labels(const Terminal& terminal) const;

private:
    bool logarithmic_;
    Range range_;
    std::vector<double> ticks_;
};

} // namespace show
