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

/// What calls that fail, and should not, have in common: an index too far, or what is refused; and
/// how what is to be refused is not.
std::optional<Explanation> look_of_failures(const std::vector<EndedCall>& calls,
                                            const EndedCall& failing);

/// Where all that is wrong was called with the last argument, which may be left out, and what was
/// called without it is right.
std::optional<Explanation> look_of_the_last_argument(const std::vector<AnsweredCall>& answers);

} // namespace judge
