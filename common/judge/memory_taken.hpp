#pragma once

// How much memory a walk-through's call takes.

#include <sys/resource.h>

namespace judge {

/// The largest resident set of this process so far, in bytes.
inline double largest_resident() {
    struct rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return static_cast<double>(usage.ru_maxrss);
#else
    return static_cast<double>(usage.ru_maxrss) * 1024;
#endif
}

/// By how many bytes work() makes this process larger than it ever was. Up to 4 MiB, in which code
/// comes in on the way, count as nothing.
template <class Work>
double memory_taken(const Work& work) {
    constexpr double says_nothing = 4 << 20;
    const double before = largest_resident();
    work();
    const double grown = largest_resident() - before;
    return grown > says_nothing ? grown : 0;
}

} // namespace judge
