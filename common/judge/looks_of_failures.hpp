#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/looks.hpp"
#include "judge/outcome.hpp"

namespace judge {

/// A call beside what should have come of it.
struct Ended {
    std::vector<std::pair<std::string, double>> sizes; // of its arguments, with their names
    Outcome actual;
    Outcome expected;
    std::string function = {}; // that was called
};

/// What calls that fail, and should not, have in common: an index too far, or the sizes with which
/// they fail; and how what is to be refused is not. Nothing where no such rule holds for all of
/// them.
std::optional<Look> look_of_failures(const std::vector<Ended>& calls, const Ended& failing);

/// A pointer to an exception was thrown, as throw new does, where a call is to be refused.
std::optional<Look> look_of_a_thrown_pointer(const Outcome& actual, const Outcome& expected);

} // namespace judge
