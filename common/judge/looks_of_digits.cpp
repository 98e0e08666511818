// How exact the numbers are: right to some digits, or all but the tiny ones.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

constexpr double to_all_digits = 1e-13;
constexpr double nearly = 1e-3;               // right, for any element
constexpr double most_nearly = 1e-4;          // for half of those that are off
constexpr double tiny = 1e-12;                // beside the largest: below what sums in double keep
constexpr double small_beside_largest = 1e-6; // where the large ones are right to as much

double error_of(const Pair& pair, std::size_t i) {
    const double error = std::abs(pair.got.numbers[i] - pair.expected.numbers[i]);
    return pair.got.numbers[i] == pair.expected.numbers[i] ? 0 : error;
}

double largest_of(const Pair& pair) {
    double largest = 0;
    for (const double number : pair.expected.numbers) {
        largest = std::max(largest, std::abs(number));
    }
    return largest;
}

/// The error of each element, as a share of it: 0 if it is right, inf if a 0 is not. Nothing if
/// the shape is wrong, or one is not finite.
std::optional<std::vector<double>> shares_off(const Pair& pair) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < pair.expected.numbers.size(); ++i) {
        if (pair.got.shape != pair.expected.shape || !std::isfinite(error_of(pair, i))) {
            return std::nullopt;
        }
        const double error = error_of(pair, i);
        shares.push_back(error == 0 ? 0 : error / std::abs(pair.expected.numbers[i]));
    }
    return shares;
}

/// What errors of these shares look like; nothing where an element is not even nearly right.
std::optional<std::vector<double>> shares_of_nearly_right(const Pair& pair) {
    auto shares = shares_off(pair);
    const bool all_nearly = shares && std::all_of(shares->begin(), shares->end(),
                                                  [](double share) { return share <= nearly; });
    return all_nearly ? shares : std::nullopt;
}

int digits_of(double share) {
    return static_cast<int>(std::floor(-std::log10(share)));
}

/// The largest element that is off, as a share of the largest of all; nothing where that is not
/// finite.
std::optional<double> share_of_what_is_off(const Pair& pair) {
    const double largest = largest_of(pair);
    double off = 0;
    for (std::size_t i = 0; i < pair.expected.numbers.size(); ++i) {
        const double expected = std::abs(pair.expected.numbers[i]);
        const double error = error_of(pair, i);
        if (!std::isfinite(error)) {
            return std::nullopt;
        }
        off = error > tiny * expected ? std::max({off, expected, error}) : off;
    }
    return largest > 0 ? std::optional(off / largest) : std::nullopt;
}

/// How a matrix stands whose large elements are nearly right.
struct NearlyRight {
    double large_off = 0;       // the largest share by which a large one is off
    bool tiny_is_wrong = false; // a tiny one has hardly a right digit
};

/// Nothing where a large element is wrong, or a tiny one is far too large.
std::optional<NearlyRight> beside_nearly_right(const Pair& pair) {
    const auto shares = shares_off(pair);
    const double bound = small_beside_largest * largest_of(pair);
    NearlyRight found;
    for (std::size_t i = 0; shares && i < shares->size(); ++i) {
        if (std::abs(pair.expected.numbers[i]) > bound) {
            found.large_off = std::max(found.large_off, (*shares)[i]);
        } else if (error_of(pair, i) > bound) {
            return std::nullopt;
        } else {
            found.tiny_is_wrong = found.tiny_is_wrong || (*shares)[i] > nearly;
        }
    }
    return shares && found.large_off <= small_beside_largest ? std::optional(found) : std::nullopt;
}

const char* const how_tiny_ones_go_wrong =
    "Is something small cut off at a bound, held in a smaller type, or made as a difference of "
    "larger numbers? They are to be as exact as the large ones.";

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
                std::string("the large elements are right, and only some that are tiny beside them "
                            "are not. ") +
                    how_tiny_ones_go_wrong,
                [=](const Pair& pair) -> std::optional<Grid> {
                    return only_tiny_ones(pair) ? pair.got : pair.expected;
                }};
}

std::optional<Turn> turn_of_tiny_beside_nearly_right(const std::vector<Pair>& wrong) {
    double large_off = 0;
    std::size_t with_tiny = 0;
    for (const Pair& pair : wrong) {
        if (const auto found = beside_nearly_right(pair)) {
            large_off = std::max(large_off, found->large_off);
            with_tiny += found->tiny_is_wrong ? 1 : 0;
        }
    }
    if (2 * with_tiny < wrong.size() || large_off == 0) {
        return std::nullopt;
    }
    return Turn{"tiny_ones_are_wrong",
                fmt::format("the large elements are right to {} digits or more, and some that are "
                            "tiny beside them are wrong. {}",
                            digits_of(large_off), how_tiny_ones_go_wrong),
                [](const Pair& pair) -> std::optional<Grid> {
                    return beside_nearly_right(pair) ? pair.got : pair.expected;
                }};
}

std::optional<Turn> turn_of_digits(const std::vector<Pair>& wrong) {
    std::vector<double> off;
    std::size_t elements = 0;
    for (const Pair& pair : wrong) {
        for (const double share : shares_of_nearly_right(pair).value_or(std::vector<double>())) {
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
    return Turn{"a_few_digits",
                what + ". A float on the way has 7; a constant with few decimals, an approximation "
                       "(if only in a part of a function's range), something small that is added, "
                       "or differences over a small step cost digits, too.",
                [](const Pair& pair) -> std::optional<Grid> {
                    if (pair.got.shape != pair.expected.shape) {
                        return pair.expected;
                    }
                    return shares_of_nearly_right(pair) ? pair.got : pair.expected;
                }};
}

} // namespace judge
