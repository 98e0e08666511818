#pragma once

#include "show/numbers.hpp"
#include "show/terminal.hpp"

#include <cstddef>
#include <ostream>
#include <span>
#include <string>

namespace show {

struct HistogramOptions {
    std::string title = {};
    std::size_t bins = 16;
    Range range = {}; // the same for several histograms puts them on one scale
};

/// Draws how often values occur, a bar a bin, with counts and shares of all values. Takes any
/// contiguous doubles: std::vector, Vector, or all elements of a Matrix. A bin holds its lower
/// edge, the last one its upper too. What falls in no bin, NaN included, is counted below.
void histogram(std::ostream& out, std::span<const double> values,
               const HistogramOptions& options = {}, const Terminal& terminal = show::terminal());

} // namespace show
