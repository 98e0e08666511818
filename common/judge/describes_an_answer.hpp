#pragma once

#include "judge/looks.hpp"
#include "judge/session.hpp"

namespace judge {

/// What the wrong answers of the failing call's function look like, or its failures; of a random
/// function, its failures alone. expected: what each of the session's calls should give. program:
/// answers as the reference.
std::optional<Look> describe_answers(const Session& session, const std::vector<Outcome>& expected,
                                     std::size_t failing, Child& program);

} // namespace judge
