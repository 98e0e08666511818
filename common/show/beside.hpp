#pragma once

#include "show/terminal.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace show {

/// Writes drawings next to each other, each the text that another function wrote to a string stream
/// for the same terminal; below each other, with an empty line between, if they do not fit its
/// width.
void beside(std::ostream& out, const std::vector<std::string>& drawings,
            const Terminal& terminal = show::terminal());

} // namespace show
