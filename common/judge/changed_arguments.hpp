#pragma once

#include <optional>
#include <vector>

#include "judge/grid.hpp"

namespace judge {

/// An argument other than it was given. change: nothing where there is no such thing.
struct NamedChange {
    const char* name;
    const char* explanation; // {} is the argument
    std::optional<Grid> (*change)(Grid grid);
};

/// Ways in which an argument may be misread: transposed, without its signs, a column missing.
const std::vector<NamedChange>& changes_of_arguments();

} // namespace judge
