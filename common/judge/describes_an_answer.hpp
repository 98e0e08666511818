#pragma once

#include "judge/looks.hpp"
#include "judge/session.hpp"

namespace judge {

/// A description of the wrong answers of the failing call's function, or of its failures; for a
/// random function, of its failures alone. expected: what each of the session's calls should
/// return. program: answers as the reference.
std::optional<Explanation> describe_answers(const Session& session,
                                            const std::vector<Outcome>& expected,
                                            std::size_t failing, Child& program);

} // namespace judge
