#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/looks.hpp"
#include "judge/outcome.hpp"

namespace judge {

/// A call with the outcome that it should have had.
struct EndedCall {
    std::string function;
    Sizes sizes; // of its arguments
    Outcome actual;
    Outcome expected;
};

/// What calls that fail, and should not, have in common: an index too far, or the sizes with which
/// they fail; and how what is to be refused is not. Nothing where no such rule holds for all of
/// them.
std::optional<Look> look_of_failures(const std::vector<EndedCall>& calls, const EndedCall& failing);

/// A pointer to an exception was thrown, as throw new does, where a call is to be refused.
std::optional<Look> look_of_a_thrown_pointer(const Outcome& actual, const Outcome& expected);

/// With which sizes of the arguments answers are wrong, where all of them, and no right ones, have
/// that in common: two sizes are equal, one is 1, or too large. For answers of which nothing else
/// is known.
std::optional<Look> look_of_sizes(const std::vector<AnsweredCall>& answers);

/// The last call takes too long, where smaller ones of its function return.
std::optional<Look> look_of_slow_calls(const std::vector<EndedCall>& calls);

} // namespace judge
