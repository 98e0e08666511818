#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace judge {

/// By default glibc gives what was freed back to the system, to ask for it again at the next call.
/// A grade of 03.2 took 141 ms with that, and 78 without (means of five, 2026-11-25).
inline void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

} // namespace judge
