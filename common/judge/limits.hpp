#pragma once

#include <chrono>
#include <cstddef>

namespace judge {

struct Limits {
    std::chrono::milliseconds time{4000};       // processor time per call
    std::chrono::milliseconds total{10000};     // and for all calls of an exercise together
    std::size_t memory = std::size_t{1} << 30;  // bytes of address space, for the whole child
    std::size_t output = std::size_t{16} << 10; // bytes of its output that are kept
    std::size_t reply = std::size_t{16} << 20;  // bytes of one answer
    std::size_t file = std::size_t{16} << 20;   // bytes of any file it writes
    std::size_t files = std::size_t{64} << 20;  // bytes of all that is in its folder
    std::size_t descriptors = 64;               // open at once
    bool tells_where = false;    // prints its place when a signal ends it, and after a second
    bool watches_memory = false; // looks at the child's memory every 2 ms, for largest_anonymous()
    bool confined = true;        // false, for tests: as on a kernel that prevents nothing
};

/// The limits this build can hold: sanitizers need more time and cannot live with a memory limit.
Limits default_limits();

} // namespace judge
