#pragma once

#include <string>
#include <vector>

namespace course {

/// Lines in which matrices stand side by side: where that is wider than width columns, one below
/// the other. A matrix that is itself too wide stays as it is.
std::vector<std::string> stacked(const std::vector<std::string>& lines, std::size_t width);

} // namespace course
