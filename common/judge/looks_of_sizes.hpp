#pragma once

#include <optional>
#include <vector>

#include "judge/looks.hpp"

namespace judge {

/// With which sizes of the arguments answers are wrong, where all of them, and no right ones, have
/// that in common: two sizes are equal, one is 1, too large, or no multiple of a block. For answers
/// of which nothing else is known.
std::optional<Look> look_of_sizes(const std::vector<Judged>& answers);

} // namespace judge
