// How exact the numbers are: right to some digits, or all but the tiny ones.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_table.hpp"

namespace judge {

namespace {

constexpr double rounding = 1e-12;            // a share by which a right number may be off
constexpr double to_all_digits = 1e-13;       // and one that is right to all digits
constexpr double nearly = 1e-3;               // nearly right, for any element
constexpr double most_nearly = 1e-4;          // for half of those that are off
constexpr double small_beside_largest = 1e-6; // where the large ones are right to as much

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

/// By which share the large elements are off, where all of them are nearly right and one that is
/// tiny beside them is not.
std::optional<double> only_tiny_ones_are_wrong(const Pair& pair) {
    double largest = 0, large_off = 0;
    double tiny_off = 0;
    for (const double number : pair.expected.numbers) {
        largest = std::max(largest, std::abs(number));
    }
    const auto shares = shares_off(pair);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double size = std::abs(pair.expected.numbers[i]);
        if (size > small_beside_largest * largest) {
            large_off = std::max(large_off, shares[i]);
        } else if (std::abs(pair.yours.numbers[i] - pair.expected.numbers[i]) >
                   small_beside_largest * largest) {
            return std::nullopt;
        } else {
            tiny_off = std::max(tiny_off, shares[i]);
        }
    }
    return large_off <= small_beside_largest &&
                   tiny_off > (large_off <= rounding ? rounding : nearly)
               ? std::optional(large_off)
               : std::nullopt;
}

std::optional<LookRow> tiny_ones_are_wrong(const std::vector<Pair>& wrong) {
    double large_off = 0;
    std::size_t with_tiny = 0;
    for (const Pair& pair : wrong) {
        if (const auto off = only_tiny_ones_are_wrong(pair)) {
            large_off = std::max(large_off, *off);
            ++with_tiny;
        }
    }
    if (with_tiny == 0 || (large_off > rounding && 2 * with_tiny < wrong.size())) {
        return std::nullopt;
    }
    const std::string what =
        large_off <= rounding
            ? "the large elements are right, and only some that are tiny beside them are not. "
            : fmt::format("the large elements are right to {} digits or more, and some that are "
                          "tiny beside them are wrong. ",
                          digits_of(large_off));
    return LookRow{"tiny_ones_are_wrong",
                   what + "Is something small cut off at a bound, held in a smaller type, or made "
                          "as a difference of larger numbers? They are to be as exact as the "
                          "large ones.",
                   [](const Pair& pair) -> std::optional<Grid> {
                       return only_tiny_ones_are_wrong(pair) ? pair.yours : pair.expected;
                   }};
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
    const std::string worst = least < most ? fmt::format(", at the worst {}", least) : "";
    const std::string what =
        2 * off.size() >= elements
            ? fmt::format("the numbers are right to about {} digits{}, and no further", most, worst)
            : fmt::format("some of the numbers are right to about {} digits only{}", most, worst);
    return LookRow{"a_few_digits",
                   what + ". A float on the way has 7; a constant with few decimals, an "
                          "approximation (if only in a part of a function's range), something "
                          "small that is added, or differences over a small step cost digits, too.",
                   [](const Pair& pair) -> std::optional<Grid> {
                       return is_nearly_right(pair) ? pair.yours : pair.expected;
                   }};
}

} // namespace

std::vector<LookRow> looks_of_digits(const std::vector<Pair>& wrong) {
    std::vector<LookRow> rows;
    for (const auto& row : {tiny_ones_are_wrong(wrong), a_few_digits(wrong)}) {
        if (row) {
            rows.push_back(*row);
        }
    }
    return rows;
}

} // namespace judge
