#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace judge {

/// By default glibc returns freed memory to the system, and requests it again at the next call.
/// With that a grade of 03.2 took 141 ms, and 78 without (means of five, 2026-11-25).
inline void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

} // namespace judge
