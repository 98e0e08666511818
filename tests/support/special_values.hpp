#pragma once

#include <limits>

namespace support {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr float inf_f = std::numeric_limits<float>::infinity();

} // namespace support
