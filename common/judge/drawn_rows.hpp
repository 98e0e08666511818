#pragma once

#include <vector>

#include "judge/value.hpp"

namespace judge {

/// The numbers of a value for a drawing: the rows of a matrix of at most 1,024 numbers, the first
/// weights of a batch, or a curve's x and y; otherwise nothing.
std::vector<std::vector<double>> rows_of(const Value& value);

} // namespace judge
