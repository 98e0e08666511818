// How exact the numbers are: right to some digits, and no further.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_table.hpp"

namespace judge {

namespace {

constexpr double to_all_digits = 1e-13; // a share by which a right number may be off
constexpr double nearly = 1e-3;         // nearly right, for any element
constexpr double most_nearly = 1e-4;    // for half of those that are off

/// The error of each element, as a share of it: 0 if it is right, inf if a 0 is not. Nothing if
/// the shape is wrong, or an error is not finite.
std::vector<double> shares_off(const Pair& pair) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < pair.expected.numbers.size(); ++i) {
        const double yours = pair.yours.shape == pair.expected.shape ? pair.yours.numbers[i] : NAN;
        const double expected = pair.expected.numbers[i];
        const double error = yours == expected ? 0 : std::abs(yours - expected);
        if (!std::isfinite(error)) {
            return {};
        }
        shares.push_back(error == 0 ? 0 : error / std::abs(expected));
    }
    return shares;
}

bool is_nearly_right(const Pair& pair) {
    const auto shares = shares_off(pair);
    return !shares.empty() && *std::max_element(shares.begin(), shares.end()) <= nearly;
}

int digits_of(double share) {
    return static_cast<int>(std::floor(-std::log10(share)));
}

std::optional<LookRow> a_few_digits(const std::vector<Pair>& wrong) {
    std::vector<double> off;
    std::size_t elements = 0;
    for (const Pair& pair : wrong) {
        for (const double share :
             is_nearly_right(pair) ? shares_off(pair) : std::vector<double>()) {
            ++elements;
            if (share > to_all_digits) {
                off.push_back(share);
            }
        }
    }
    std::sort(off.begin(), off.end());
    if (off.empty() || off[off.size() / 2] > most_nearly) {
        return std::nullopt;
    }
    const int most = digits_of(off[off.size() / 2]);
    const int least = digits_of(off.back());
    const std::string worst = least < most ? fmt::format(", at worst {}", least) : "";
    const std::string what =
        2 * off.size() >= elements
            ? fmt::format("the numbers are right to about {} digits{}, and no further", most, worst)
            : fmt::format("some of the numbers are right to about {} digits only{}", most, worst);
    return LookRow{
        "a_few_digits",
        what +
            ". "
            "A float has 7; a constant with few decimals, an approximation (if only in a part of a function's range), something small that is added, or differences over a small step cost digits, too.",
        [](const Pair& pair) -> std::optional<Grid> {
            return is_nearly_right(pair) ? pair.yours : pair.expected;
        }};
}

} // namespace

std::vector<LookRow> looks_of_digits(const std::vector<Pair>& wrong) {
    const auto row = a_few_digits(wrong);
    return row ? std::vector<LookRow>{*row} : std::vector<LookRow>{};
}

} // namespace judge
