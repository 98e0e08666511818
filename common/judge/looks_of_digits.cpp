// How exact the numbers are: right to some digits, or all but the tiny ones.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

/// The largest error, as a share of the largest element; nothing where that tells nothing.
std::optional<double> share_that_is_off(const Pair& pair) {
    double largest = 0, off = 0;
    for (std::size_t i = 0; i < pair.expected.numbers.size(); ++i) {
        const double error = std::abs(pair.got.numbers[i] - pair.expected.numbers[i]);
        if (!std::isfinite(error)) {
            return std::nullopt;
        }
        off = std::max(off, error);
        largest = std::max(largest, std::abs(pair.expected.numbers[i]));
    }
    return largest > 0 ? std::optional(off / largest) : std::nullopt;
}

constexpr double nearly = 1e-4; // right

/// The largest element that is off, as a share of the largest of all; nothing where that is not
/// finite.
std::optional<double> share_of_what_is_off(const Pair& pair) {
    double largest = 0, off = 0;
    for (std::size_t i = 0; i < pair.expected.numbers.size(); ++i) {
        const double expected = std::abs(pair.expected.numbers[i]);
        const double error = std::abs(pair.got.numbers[i] - pair.expected.numbers[i]);
        if (!std::isfinite(error)) {
            return std::nullopt;
        }
        largest = std::max(largest, expected);
        off = error > 1e-12 * expected ? std::max({off, expected, error}) : off;
    }
    return largest > 0 ? std::optional(off / largest) : std::nullopt;
}

constexpr double tiny = 1e-12; // beside the largest: below what sums in double keep of it

} // namespace

std::optional<Turn> turn_of_tiny_ones(const std::vector<Pair>& wrong) {
    const auto only_tiny_ones = [](const Pair& pair) {
        const auto off =
            pair.got.shape == pair.expected.shape ? share_of_what_is_off(pair) : std::nullopt;
        return off && *off > 0 && *off <= tiny;
    };
    if (std::none_of(wrong.begin(), wrong.end(), only_tiny_ones)) {
        return std::nullopt;
    }
    return Turn{"tiny_ones_are_wrong",
                "the large elements are right, and only some that are tiny beside them are not. Is "
                "something small cut off at a bound, or made as a difference of larger numbers? "
                "They are to be as exact as the large ones.",
                [=](const Pair& pair) -> std::optional<Grid> {
                    return only_tiny_ones(pair) ? pair.got : pair.expected;
                }};
}

std::optional<Turn> turn_of_digits(const std::vector<Pair>& wrong) {
    double most = 0;
    for (const Pair& pair : wrong) {
        const auto off =
            pair.got.shape == pair.expected.shape ? share_that_is_off(pair) : std::nullopt;
        most = off && *off <= nearly ? std::max(most, *off) : most;
    }
    if (most == 0) {
        return std::nullopt;
    }
    return Turn{"a_few_digits",
                fmt::format("the numbers are right to about {:.0f} digits and no further. A float "
                            "on the way has 7; a constant with few decimals, something small that "
                            "is added, or differences over a small step cost digits, too.",
                            std::floor(-std::log10(most))),
                [](const Pair& pair) -> std::optional<Grid> {
                    if (pair.got.shape != pair.expected.shape) {
                        return pair.expected;
                    }
                    const auto off = share_that_is_off(pair);
                    return !off ? std::nullopt
                                : std::optional(*off <= nearly ? pair.got : pair.expected);
                }};
}

} // namespace judge
