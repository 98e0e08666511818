#pragma once

#include <optional>
#include <vector>

#include "judge/looks.hpp"

namespace judge {

/// What calls have in common that fail, and should not: an index too far, or what is refused. Or
/// how calls end that should be refused.
std::optional<Explanation> look_of_failures(const std::vector<JudgedCall>& calls,
                                            const JudgedCall& failing);

/// All wrong answers are to calls with the last argument, which may be left out, and all answers to
/// calls without it are right.
std::optional<Explanation> look_of_the_last_argument(const std::vector<JudgedCall>& answers);

} // namespace judge
