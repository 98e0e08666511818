#pragma once

// How much memory a call takes at its peak, asked inside a submission. Two measures, the larger of
// which counts:
//   - what `new` hands out, and malloc where the C library is glibc, to the byte: fresh_memory.hpp
//     counts it, or the sanitizer's allocator where there is one;
//   - how far the process's resident set grew, which sees mmap, the stack and static arrays, too:
//     the largest there was, in which code comes in on the way, so that up to 4 MiB more than what
//     was handed out says nothing; and on Linux what stays of it that is no file's, where 768 KiB
//     more than what is in use, stacks of threads and the like, says nothing. Not asked under a
//     sanitizer, which has shadows of its own in there.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "judge/heap.hpp"
#include "judge/sanitized.hpp"

#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifdef JUDGE_SANITIZED
// As clang's sanitizer/allocator_interface.h, which g++ has not, declares them.
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void* memory);
extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*of_malloc)(const volatile void* memory, std::size_t size),
    void (*of_free)(const volatile void* memory));
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

namespace judge {

// Signed: what is given back may be older than the counting.
inline std::atomic<std::int64_t> bytes_in_use{0}, most_bytes_in_use{0};

inline std::int64_t size_of_block(const void* memory) {
#if defined(JUDGE_SANITIZED)
    return static_cast<std::int64_t>(__sanitizer_get_allocated_size(memory));
#elif defined(__APPLE__)
    return static_cast<std::int64_t>(malloc_size(memory));
#else
    return static_cast<std::int64_t>(malloc_usable_size(const_cast<void*>(memory)));
#endif
}

// Which threads have allocated since the measurement began.
inline std::atomic<std::uint64_t> measurement{0}, threads_that_allocate{0};
inline thread_local std::uint64_t counted_in = 0;

inline void count_allocated(const void* memory) {
    const std::int64_t now = bytes_in_use += size_of_block(memory);
    std::int64_t before = most_bytes_in_use;
    while (before < now && !most_bytes_in_use.compare_exchange_weak(before, now)) {
    }
    if (const std::uint64_t current = measurement; counted_in != current) {
        counted_in = current;
        ++threads_that_allocate;
    }
}

inline void count_freed(const void* memory) {
    bytes_in_use -= memory == nullptr ? 0 : size_of_block(memory);
}

/// A line of /proc/self/status, such as "VmHWM", in bytes; below 0 where there is none.
inline double of_status([[maybe_unused]] const char* name) {
    double kilobytes = -1;
#ifdef __linux__
    if (std::FILE* const status = std::fopen("/proc/self/status", "r")) {
        char line[256];
        const std::size_t length = std::strlen(name);
        while (kilobytes < 0 && std::fgets(line, sizeof line, status) != nullptr) {
            if (std::strncmp(line, name, length) == 0 && line[length] == ':') {
                std::sscanf(line + length + 1, "%lf kB", &kilobytes);
            }
        }
        std::fclose(status);
    }
#endif
    return kilobytes * 1024;
}

/// The largest resident set so far, in bytes. Linux's getrusage begins with what the program had
/// that started this one, so /proc is asked first.
inline double largest_resident() {
    const double bytes = of_status("VmHWM");
    if (bytes >= 0) {
        return bytes;
    }
    struct rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return static_cast<double>(usage.ru_maxrss);
#else
    return static_cast<double>(usage.ru_maxrss) * 1024;
#endif
}

/// What was freed and kept for the next call is nobody's: it shall not be taken for resident.
inline void give_back_freed() {
#if defined(__GLIBC__) && !defined(JUDGE_SANITIZED)
    malloc_trim(0);
#endif
}

// Of how far the resident set grew beyond what was handed out.
constexpr double says_nothing = 4 << 20;

// Before the submission's own constructors: its static arrays are its own.
inline std::int64_t bytes_at_start = 0;
inline double resident_at_start = 0;

/// Asked first of all in a process.
inline void note_the_start() {
    bytes_at_start = bytes_in_use;
    resident_at_start = of_status("RssAnon");
}

/// What the submission keeps from earlier calls and from its start, and the asker holds. By the
/// resident set, what is below 4 MiB says nothing.
inline double bytes_kept() {
    const double allocated = static_cast<double>(bytes_in_use - bytes_at_start);
#ifdef JUDGE_SANITIZED
    constexpr double resident = 0;
#else
    give_back_freed();
    const double resident = of_status("RssAnon") - resident_at_start - says_nothing;
#endif
    return std::max({0.0, allocated, resident});
}

struct MemoryTaken {
    double bytes = 0;
    double threads = 1;  // that allocated some of it, the caller's among them; at least 1
    double resident = 0; // how much more stays resident than is in use, and no file's
};

constexpr double resident_says_nothing = 768 << 10;

/// What work() takes at its peak beyond what was in use before; what it leaves behind counts, too.
template <class Work>
MemoryTaken memory_taken(const Work& work) {
#ifdef JUDGE_SANITIZED
    [[maybe_unused]] static const int counting = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void* memory, std::size_t) {
            count_allocated(const_cast<const void*>(memory));
        },
        [](const volatile void* memory) { count_freed(const_cast<const void*>(memory)); });
#endif
#if defined(__linux__) && defined(PR_SET_THP_DISABLE)
    // A page of 2 MiB would come in with the first byte of it that is touched.
    [[maybe_unused]] static const int small_pages = prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
    give_back_freed();
    // Or the holes between blocks that are kept make of a right solution's 3.3 MB 4.3 resident
    // ones.
    [[maybe_unused]] const GiveBackWhatIsFreed while_measured{};
    const double resident = largest_resident(), anonymous = of_status("RssAnon");
    ++measurement;
    threads_that_allocate = 0;
    const std::int64_t before = bytes_in_use;
    most_bytes_in_use = before;
    work();
    const double allocated = static_cast<double>(most_bytes_in_use - before);
    const double threads = std::max(1.0, static_cast<double>(threads_that_allocate));
#ifdef JUDGE_SANITIZED
    constexpr double grown = 0, stays = 0, in_use = 0;
    static_cast<void>(resident);
    static_cast<void>(anonymous);
    static_cast<void>(says_nothing);
#else
    const double grown = largest_resident() - resident;
    const double in_use = static_cast<double>(bytes_in_use - before);
    give_back_freed();
    const double stays = std::max(0.0, of_status("RssAnon") - anonymous - in_use);
#endif
    return {std::max({allocated, grown > allocated + says_nothing ? grown : 0.0,
                      stays > resident_says_nothing ? stays + in_use : 0.0}),
            threads, stays};
}

} // namespace judge
