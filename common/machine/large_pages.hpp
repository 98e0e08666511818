#pragma once

#include <cstddef>

namespace attention {

/// Requests large pages for memory that is about to be written for the first time: the system then
/// hands out 2 MB at once, where it would stop the writer for every 4 kB. Where there are none,
/// nothing happens.
///   memory  of `bytes` bytes; what of it fills no page is left alone
void prefer_large_pages(void* memory, std::size_t bytes);

} // namespace attention
