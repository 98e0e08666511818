#include "show/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace show {
namespace {

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) {
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    }
    return largest;
}

double power_of_ten(double exponent) {
    return std::pow(10.0, exponent);
}

/// The digits of a value before its power of ten: 2.5 for 2.5e-7.
double mantissa(double value) {
    if (value == 0 || !std::isfinite(value)) {
        return 0;
    }
    return value / power_of_ten(std::floor(std::log10(std::abs(value))));
}

bool exact_with(double value, std::size_t decimals) {
    const double shifted = value * power_of_ten(static_cast<double>(decimals));
    return !std::isfinite(value) ||
           std::abs(shifted - std::round(shifted)) <= 1e-9 * std::max(1.0, std::abs(shifted));
}

/// 1e-7 rather than 1e-07, 1e12 rather than 1e+12.
std::string short_exponent(const std::string& text) {
    const std::size_t e = text.find('e');
    const std::size_t first_digit = text.find_first_not_of('0', e + 2);
    const std::string digits = first_digit == std::string::npos ? "0" : text.substr(first_digit);
    return text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + digits;
}

} // namespace

Range range_of(std::span<const double> values) {
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const double value : values) {
        if (std::isfinite(value)) {
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    }
    if (range.low > range.high) {
        return {};
    }
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    if (range.high / 2 - range.low / 2 <= 1e-9 * (largest / 2)) {
        const double margin = std::max(0.5, largest * 1e-3);
        return {range.low - margin, range.high + margin};
    }
    return range;
}

NumberFormat format_for(std::span<const double> values, std::size_t significant,
                        std::optional<std::size_t> decimals) {
    const double largest = largest_magnitude(values);
    if (decimals) {
        return {*decimals, largest >= 1e15};
    }
    if (largest == 0) {
        return {};
    }
    NumberFormat format;
    format.scientific = largest >= 1e7 || largest < 1e-3;
    const double digits = static_cast<double>(significant) - 1;
    const double magnitude = largest >= 0.1 ? std::max(0.0, std::floor(std::log10(largest)))
                                            : std::floor(std::log10(largest));
    const double limit = format.scientific ? digits : std::max(1.0, digits - magnitude);
    while (static_cast<double>(format.decimals) < limit &&
           !std::all_of(values.begin(), values.end(), [&](double value) {
               return exact_with(format.scientific ? mantissa(value) : value, format.decimals);
           })) {
        ++format.decimals;
    }
    return format;
}

std::string number(double value, const NumberFormat& format, const Terminal& terminal) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return std::string(value < 0 ? "-" : "") + (terminal.unicode ? "∞" : "inf");
    }
    const std::string text = format.scientific
                                 ? short_exponent(fmt::format("{:.{}e}", value, format.decimals))
                                 : fmt::format("{:.{}f}", value, format.decimals);
    const bool is_zero = text.substr(0, text.find('e')).find_first_of("123456789") == text.npos;
    if (is_zero && format.scientific) {
        return "0";
    }
    return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string number(double value, std::size_t significant, const Terminal& terminal) {
    return number(value, format_for(std::span(&value, 1), significant), terminal);
}

double round_step(const Range& range, std::size_t most) {
    const double width = (range.high - range.low) / static_cast<double>(most);
    const double power = power_of_ten(std::floor(std::log10(width)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= width * (1 - 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

double multiple(double count, double step) {
    // Dividing by a whole number gives 0.3 where 3 * 0.1 gives 0.30000000000000004.
    return step < 1 ? count / std::round(1 / step) : count * step;
}

std::vector<double> linear_ticks(const Range& range, double step) {
    const double slack = 1e-9;
    std::vector<double> ticks;
    const double first = std::ceil(range.low / step - slack);
    for (double i = 0; first + i <= range.high / step + slack; ++i) {
        ticks.push_back(multiple(first + i, step));
    }
    return ticks;
}

std::vector<double> log_ticks(const Range& range, std::size_t most) {
    const double low = std::log10(range.low);
    const double high = std::log10(range.high);
    const double slack = 1e-9;
    const double every = std::max(1.0, std::ceil((high - low) / static_cast<double>(most)));
    const bool with_halves = high - low < 2;
    std::vector<double> ticks;
    for (double exponent = std::floor(low); exponent <= high + slack; exponent += every) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = factor * power_of_ten(exponent);
            const double place = exponent + std::log10(factor);
            if ((factor == 1 || with_halves) && place >= low - slack && place <= high + slack) {
                ticks.push_back(tick);
            }
        }
    }
    return ticks.size() < 2 ? linear_ticks(range, round_step(range, most)) : ticks;
}

} // namespace show
