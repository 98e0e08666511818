#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "judge/session.hpp"

namespace judge {

/// The first, the last, the smallest and the largest of the quick calls of each function, and one
/// or two of the others where these are more, in the order in which they were made.
std::vector<std::size_t> calls_to_replay(const std::vector<RecordedCall>& calls);

/// Pairs of calls of one function, by their indices, to be asked one after the other: an array with
/// a size of an argument on each of two axes has as many elements in both, and another shape; or
/// one size is the same in both, and the others are not. What is kept of the first as long as that
/// number is the same has the wrong shape in the second. Small calls that were answered, a few of
/// each function.
std::vector<std::pair<std::size_t, std::size_t>>
pairs_of_one_size(const std::vector<RecordedCall>& calls);

} // namespace judge
