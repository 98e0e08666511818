#pragma once

#include <vector>

#include "judge/value.hpp"

namespace judge {

/// What can be drawn of a value: the rows of a matrix of at most 1,024 numbers, the first weights
/// of a batch, or a curve's x and y; else nothing.
std::vector<std::vector<double>> rows_of(const Value& value);

} // namespace judge
