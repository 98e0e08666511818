#pragma once

#include "show/terminal.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace show {

/// Blocks of lines next to one another, or below where they would not fit into `width` columns.
std::vector<std::string> beside(const std::vector<std::vector<std::string>>& blocks,
                                std::size_t width = 72);

/// Writes drawings next to each other, each the text that another function wrote to a string stream
/// (for a terminal narrowed to its share of the width, if it is one that fills it), as far as they
/// fit the terminal's.
void beside(std::ostream& out, const std::vector<std::string>& drawings,
            const Terminal& terminal = show::terminal());

} // namespace show
