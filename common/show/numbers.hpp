#pragma once

// Numbers as people write them, and round numbers for axes.

#include "show/terminal.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace show {

/// low < high, both finite.
struct Range {
    double low = 0;
    double high = 1;
};

/// The smallest and largest finite value; widened to one unit around it if there is only one; {0,
/// 1} if there is none.
Range range_of(std::span<const double> values);

struct NumberFormat {
    std::size_t decimals = 0;
    bool scientific = false;
};

/// One format for all the values: the fewest decimals that show each exactly, at most as many as
/// give the largest `significant` digits (numbers below 1 as if it were 1). Scientific if the
/// largest is 1e7 or more, or less than 1e-3. With `decimals` given, that many, and scientific from
/// 1e15 only.
NumberFormat format_for(std::span<const double> values, std::size_t significant,
                        std::optional<std::size_t> decimals = std::nullopt);

/// "-1.50", "2.5e-7", "nan", "-inf" ("-∞" with unicode); never "-0.00".
std::string number(double value, const NumberFormat& format, const Terminal& terminal);

/// One number on its own, with up to `significant` digits.
std::string number(double value, std::size_t significant, const Terminal& terminal);

/// 1, 2 or 5 times a power of ten: the smallest such step that cuts the range into at most `most`.
double round_step(const Range& range, std::size_t most);

/// count · step for a round step, without the rounding error of the step.
double multiple(double count, double step);

/// The multiples of a round step within the range.
std::vector<double> linear_ticks(const Range& range, double step);

/// Powers of ten within a positive range, thinned out to `most`; with 2 and 5 times them where few.
std::vector<double> log_ticks(const Range& range, std::size_t most);

} // namespace show
