#pragma once

#include <string>

namespace course {

/// A sentence about the first place in an exercise's source that compiles and yet does not do what
/// it says, for reasons that lie in xtensor and not in attention; "" if there is none that we know.
/// Worth telling only when the answers are wrong and no misconception explains them.
///   - a reduction with keep_dims, unevaluated inside a larger expression: wrong numbers in 0.24
///   - auto that keeps a lazy expression: dangles, or computes again for every element
///   - xt::linalg::dot with a transpose: wrong for a view of the other's first rows
std::string find_trap(const std::string& source);

} // namespace course
