#pragma once

#include <optional>

#include "judge/generic_mistake.hpp"
#include "judge/session.hpp"

namespace judge {

/// After every check has passed: asks some of the recorded calls again, in the same process and in
/// a new one, and with other fillings of fresh memory. An answer that is not what it was is added
/// to the session as a failure, and named. Takes a tenth of a second, if the calls were quick,
/// and a few seconds if most were slow.
std::optional<GenericMistake> replay_passed(Session& session);

} // namespace judge
