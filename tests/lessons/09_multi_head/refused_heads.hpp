#pragma once

// Heads that do not divide the columns are refused, and the text names both numbers.

#include <algorithm>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "judge/text.hpp"

/// The outcome is a std::invalid_argument whose text names n_heads and one of the numbers that it
/// does not divide, in any words.
inline void expect_heads_refused(const judge::Outcome& outcome, std::size_t n_heads,
                                 const std::vector<std::size_t>& one_of) {
    judge::expect_refused(outcome, std::to_string(n_heads) + " heads");
    const std::string& text = std::get<judge::Threw>(outcome).what;
    const auto numbers = judge::whole_numbers_in(text);
    const auto named = [&](std::size_t wanted) {
        return std::ranges::any_of(numbers, [&](auto& each) { return each.value == wanted; });
    };
    judge::expect_that(named(n_heads) && std::ranges::any_of(one_of, named),
                       "the error's text names both numbers",
                       std::to_string(n_heads) + " or " + std::to_string(one_of[0]) +
                           " is not in it: \"" + text + "\"");
}
