#pragma once

// The memory that a walk-through's call uses.

#include <sys/resource.h>

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

/// By how many bytes work() raises this process's peak. Up to 4 MiB count as nothing, since loading
/// code takes some.
template <class Work>
double memory_taken(const Work& work) {
    constexpr double says_nothing = 4 << 20;
    const double before = largest_resident();
    work();
    const double grown = largest_resident() - before;
    return grown > says_nothing ? grown : 0;
}
