#pragma once

#include <cstddef>

namespace attention {

/// Every buffer of a kernel starts at a multiple of this many bytes.
constexpr std::size_t kernel_alignment = 64;

} // namespace attention
