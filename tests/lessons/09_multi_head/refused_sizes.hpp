#pragma once

// Sizes that cannot be divided as they should are refused, and the text names the numbers.

#include <algorithm>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "judge/text.hpp"

/// The outcome is a std::invalid_argument whose text names this number and, if there are others,
/// one of them, in any words. what: the argument that is wrong, as in "d = 7".
inline void expect_refused_naming(const judge::Outcome& outcome, const std::string& what,
                                  std::size_t number, const std::vector<std::size_t>& one_of = {}) {
    judge::expect_refused(outcome, what);
    const std::string& text = std::get<judge::Threw>(outcome).what;
    const auto numbers = judge::whole_numbers_in(text);
    const auto named = [&](std::size_t wanted) {
        return std::ranges::any_of(numbers, [&](auto& each) { return each.value == wanted; });
    };
    std::string others;
    for (const std::size_t other : one_of) {
        others += (others.empty() ? "" : " or ") + std::to_string(other);
    }
    const auto expect_named = [&](bool is_named, const std::string& wanted) {
        judge::expect_that(is_named, "the error's text should contain " + wanted,
                           "it is \"" + text + "\"");
    };
    expect_named(named(number), std::to_string(number));
    expect_named(one_of.empty() || std::ranges::any_of(one_of, named), others);
}
