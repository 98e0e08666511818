#pragma once

// Refusals of an argument that several others do not fit: which of them a check meets first is the
// learner's choice.

#include <algorithm>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "support/refusal.hpp"

namespace support {

using Shape = std::vector<std::size_t>;

/// The outcome is a std::invalid_argument whose text names the misfit and one of the others, which
/// are all that it can be compared with.
inline void expect_misfit(const judge::Outcome& outcome, const Shape& misfit,
                          const std::vector<Shape>& others) {
    const auto* threw = std::get_if<judge::Threw>(&outcome);
    const bool named = threw != nullptr && threw->type == "std::invalid_argument" &&
                       std::any_of(others.begin(), others.end(), [&](const Shape& other) {
                           return names_all_sizes(threw->what, {misfit, other});
                       });
    if (!named) {
        judge::expect_invalid_argument(outcome, {misfit, others.front()});
    }
}

/// X under the shape of its transpose, which a check accepts that corrects what it should refuse.
inline attention::Matrix turned(const attention::Matrix& X) {
    return xt::transpose(X);
}

} // namespace support
