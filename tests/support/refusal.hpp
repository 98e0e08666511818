#pragma once

// Whether a learner's exception says which shapes do not fit, in whatever words.

#include <algorithm>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "judge/text.hpp"

namespace support {

/// Whether every size is in the text, in any order, and none of the shapes turned around, as
/// "(3, 2)" or "3x2" would be of (2, 3).
inline bool names_all_sizes(const std::string& text,
                            const std::vector<std::vector<std::size_t>>& shapes) {
    const std::vector<judge::NumberInText> numbers = judge::whole_numbers_in(text);
    if (numbers.size() > judge::most_numbers_in_error) {
        return false;
    }
    const auto pair_stands = [&](std::size_t first, std::size_t second) {
        for (std::size_t i = 1; i < numbers.size(); ++i) {
            const std::string& between = numbers[i].before;
            const bool a_shape = between == "x" || between == ", " || between == "," ||
                                 between == " x " || between == "][";
            if (numbers[i - 1].value == first && numbers[i].value == second && a_shape) {
                return true;
            }
        }
        return false;
    };
    return std::all_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
        const bool all_there = std::all_of(shape.begin(), shape.end(), [&](std::size_t size) {
            return std::any_of(
                numbers.begin(), numbers.end(),
                [&](const judge::NumberInText& number) { return number.value == size; });
        });
        const bool turned = shape.size() == 2 && pair_stands(shape[1], shape[0]) &&
                            !pair_stands(shape[0], shape[1]);
        return all_there && !turned;
    });
}

/// As judge::expect_invalid_argument, of two matrices; but "X has 3 columns and 2 rows" will do.
inline void expect_refusal(const judge::Outcome& outcome,
                           const std::vector<std::vector<std::size_t>>& shapes) {
    const auto* threw = std::get_if<judge::Threw>(&outcome);
    if (threw == nullptr || threw->type != "std::invalid_argument" ||
        !names_all_sizes(threw->what, shapes)) {
        judge::expect_invalid_argument(outcome, shapes);
    }
}

} // namespace support
