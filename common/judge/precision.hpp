#pragma once

#include <utility>
#include <vector>

#include "judge/value.hpp"

namespace judge {

/// Whether answers, each beside what double arithmetic gives, are off as rounding to the 24 bits of
/// a float makes them, and in no other way that is known to come near: no added ε (its errors have
/// one sign), no finite difference (its errors grow where the elements are small). Says yes only
/// where there is enough to see it by.
bool looks_like_float(const std::vector<std::pair<Value, Value>>& answers_and_expected);

} // namespace judge
