#include <algorithm>

#include <fmt/format.h>

#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

/// What a size of the answers is in all of them: "the number of columns of X", or "1 here", which
/// need not be the rule; "" if it is nothing that has a name.
std::string size_text(const std::vector<Pair>& pairs, std::size_t axis, bool got) {
    const auto size = [&](const Pair& pair) {
        return static_cast<double>((got ? pair.got : pair.expected).shape.at(axis));
    };
    for (const double number : {0.0, 1.0}) {
        if (std::all_of(pairs.begin(), pairs.end(),
                        [&](const Pair& pair) { return size(pair) == number; })) {
            return fmt::format("{:g} here", number);
        }
    }
    for (const int beside : {0, 1, -1}) {
        for (std::size_t k = 0; k < pairs.front().sizes.size(); ++k) {
            if (std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
                    return k < pair.sizes.size() && size(pair) == pair.sizes[k].second + beside;
                })) {
                const char* const more = beside > 0 ? " plus 1" : beside < 0 ? " minus 1" : "";
                return pairs.front().sizes[k].first + more;
            }
        }
    }
    return "";
}

const char* axis_name(std::size_t rank, std::size_t axis) {
    return rank == 1          ? "the length"
           : axis + 1 == rank ? "the number of columns"
           : axis + 2 == rank ? "the number of rows"
                              : "the first size";
}

} // namespace

std::optional<Turn> turn_of_shapes(const std::vector<Pair>& wrong) {
    std::vector<Pair> pairs;
    std::copy_if(wrong.begin(), wrong.end(), std::back_inserter(pairs), [](const Pair& pair) {
        return pair.got.shape != pair.expected.shape &&
               pair.got.shape.size() == pair.expected.shape.size();
    });
    if (pairs.size() < 2) {
        return std::nullopt;
    }
    const auto of_wrong_shape = [](const Pair& pair) {
        return pair.got.shape != pair.expected.shape ? std::optional(pair.got) : std::nullopt;
    };
    const std::size_t rank = pairs.front().got.shape.size();
    if (std::all_of(pairs.begin(), pairs.end(),
                    [](const Pair& pair) { return pair.got.numbers.empty(); })) {
        return Turn{"without_elements", "it has no elements: nothing is ever put into it.",
                    of_wrong_shape};
    }
    std::string text;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
                return pair.got.shape.at(axis) == pair.expected.shape.at(axis);
            })) {
            continue;
        }
        const std::string got = size_text(pairs, axis, true);
        const std::string expected = size_text(pairs, axis, false);
        if (got.empty() || expected.empty()) {
            return std::nullopt;
        }
        text += fmt::format("{}{} of the result is {}, where it should be {}",
                            text.empty() ? "" : "; ", axis_name(rank, axis), got, expected);
    }
    return Turn{"another_shape", text + ".", of_wrong_shape};
}

} // namespace judge
