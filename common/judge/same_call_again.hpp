#pragma once

#include <optional>

#include "judge/session.hpp"
#include "judge/verdict.hpp"

namespace judge {

/// Of a call that was answered wrongly: what its answer depends on besides its arguments (memory
/// that was never set, earlier calls, chance), found by making it again in new processes. Nothing
/// if its arguments alone decide. right: what our solution answers.
std::optional<Explanation> not_by_arguments_alone(const Session& session, std::size_t call,
                                                  const Outcome& right);

/// After every check has passed: makes some calls of each function again, in reverse order in the
/// same process and with other contents of fresh memory in a new one. An answer that differs from
/// the first is added to the session as a failure, and explained.
std::optional<Explanation> make_calls_again(Session& session);

} // namespace judge
