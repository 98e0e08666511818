#pragma once

#include "judge/looks.hpp"
#include "judge/session.hpp"

namespace judge {

/// What the wrong answers of the failing call's function look like, or its failures; of a
/// random one, its failures alone. child: the misconceptions program, which answers as the
/// reference.
std::optional<Look> observed(const Session& session, const std::vector<Outcome>& reference,
                             std::size_t failing, Child& child);

/// What there is to say of the last call, which takes too long, where smaller ones of its function
/// return.
std::optional<Look> observed_of_time(const std::vector<RecordedCall>& calls);

} // namespace judge
