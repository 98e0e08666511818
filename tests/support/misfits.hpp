#pragma once

// Refusals of an argument that does not fit several others: the learner may choose which of them a
// check compares first.

#include <algorithm>

#include "judge/expect.hpp"

namespace support {

using Shape = std::vector<std::size_t>;

/// The outcome is a std::invalid_argument whose text names the misfit and one of the others, the
/// only ones that it can be compared with.
inline void expect_misfit(const judge::Outcome& outcome, const Shape& misfit,
                          const std::vector<Shape>& others) {
    const auto* threw = std::get_if<judge::Threw>(&outcome);
    const auto named = std::ranges::find_if(others, [&](const Shape& other) {
        return threw != nullptr && judge::names_shape(threw->what, other);
    });
    judge::expect_invalid_argument(outcome,
                                   {misfit, named == others.end() ? others.front() : *named});
}

} // namespace support
