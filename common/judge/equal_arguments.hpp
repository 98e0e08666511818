#pragma once

#include <optional>

#include "judge/generic_mistake.hpp"
#include "judge/session.hpp"

namespace judge {

/// Of calls that are answered wrongly only where two arguments are the same array: that they are
/// answered rightly once the last digits of one are others. Nothing if that is not so. reference:
/// the outcome that each call should have had; right_child answers as it does.
std::optional<GenericMistake> trouble_with_equal_arguments(const Session& session,
                                                           std::size_t failing,
                                                           const std::vector<Outcome>& reference,
                                                           Child& right_child);

} // namespace judge
