#pragma once

#include "show/terminal.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace show {

/// Writes drawings next to each other, each the text that another function wrote to a string stream
/// (for a terminal narrowed to its share of the width, if it is one that fills it); below each
/// other, with an empty line between, if they do not fit the width.
void beside(std::ostream& out, const std::vector<std::string>& drawings,
            const Terminal& terminal = show::terminal());

} // namespace show
