#pragma once

#include <optional>

#include "judge/generic_mistake.hpp"
#include "judge/session.hpp"

namespace judge {

/// Of a call that was answered wrongly: what its answer depends on beside its arguments. right: the
/// outcome that it should have had. Nothing if it does not, or if it takes too long to find out.
std::optional<GenericMistake> hidden_dependence(const Session& session, std::size_t call,
                                                const Outcome& right);

} // namespace judge
