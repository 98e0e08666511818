#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/looks.hpp"

namespace judge {

/// What calls that fail, and should not, have in common: an index too far, or what is refused; and
/// how what is to be refused is not.
std::optional<Explanation> look_of_failures(const std::vector<JudgedCall>& calls,
                                            const JudgedCall& failing);

/// Where all that is wrong was called with the last argument, which may be left out, and what was
/// called without it is right.
std::optional<Explanation> look_of_the_last_argument(const std::vector<JudgedCall>& answers);

} // namespace judge
