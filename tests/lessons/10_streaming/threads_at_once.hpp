#pragma once

// How many threads a call has at work at once, asked inside a submission: those that it starts, and
// those that parallel_for shares its work out to. What is started is counted by a pthread_create of
// our own, which the C++ library calls, too: it forwards to the one that is next and wraps what the
// thread runs. A sanitizer has a pthread_create of its own, and other systems find theirs by other
// means: there only parallel_for tells. Threads that are kept from earlier calls are none of this
// one's.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "machine/workers_seen.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEASURED_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define MEASURED_SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(MEASURED_SANITIZED)
#define MEASURED_THREADS
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>
#endif

namespace measured {

/// The threads that were started since begin(), and have not ended.
class Started {
public:
    void begin() {
        const std::lock_guard lock(mutex_);
        ++measurement_;
        at_work_ = 0;
        time_with_.fill({});
        since_ = Clock::now();
    }

    /// What it returns is handed to ended().
    std::uint64_t started() {
        const std::lock_guard lock(mutex_);
        pass();
        ++at_work_;
        return measurement_;
    }
    void ended(std::uint64_t measurement) {
        const std::lock_guard lock(mutex_);
        if (measurement == measurement_) {
            pass();
            --at_work_;
        }
    }

    /// As many as were there for a tenth of the time or longer: where one takes over from another,
    /// both are there for a moment.
    std::size_t at_once() {
        const std::lock_guard lock(mutex_);
        pass();
        Clock::duration all{}, with_more{};
        for (const Clock::duration& time : time_with_) {
            all += time;
        }
        std::size_t most = time_with_.size() - 1;
        for (; most > 0; --most) {
            with_more += time_with_[most];
            if (with_more.count() > 0 && 10 * with_more >= all) {
                break;
            }
        }
        return most;
    }

private:
    using Clock = std::chrono::steady_clock;

    void pass() {
        const Clock::time_point now = Clock::now();
        time_with_[std::min(at_work_, time_with_.size() - 1)] += now - since_;
        since_ = now;
    }

    std::mutex mutex_;
    std::uint64_t measurement_ = 0;
    std::size_t at_work_ = 0;
    std::array<Clock::duration, 65> time_with_{}; // so many, the last: or more
    Clock::time_point since_{};
};
inline Started threads_started;

template <class Work>
std::size_t threads_at_once(const Work& work) {
    attention::most_workers_since_asked();
    threads_started.begin();
    work();
    return std::max(threads_started.at_once(), attention::most_workers_since_asked());
}

#ifdef MEASURED_THREADS
/// What a thread runs, and the measurement in which it was started.
template <class Result>
struct Start {
    Result (*routine)(void*);
    void* argument;
    std::uint64_t measurement;
};

template <class Result>
Result run(void* memory) {
    const Start<Result> start = *static_cast<Start<Result>*>(memory);
    delete static_cast<Start<Result>*>(memory);
    struct End { // also where the thread ends by pthread_exit
        std::uint64_t measurement;
        ~End() { threads_started.ended(measurement); }
    } const end{start.measurement};
    return start.routine(start.argument);
}

/// Counts a thread that create(what it runs, with what) starts.
template <class Result, class Create>
int counted_thread(Result (*routine)(void*), void* argument, const Create& create) {
    auto* const start = new Start<Result>{routine, argument, threads_started.started()};
    const int error = create(&run<Result>, start);
    if (error != 0) {
        threads_started.ended(start->measurement);
        delete start;
    }
    return error;
}
#endif

} // namespace measured

#ifdef MEASURED_THREADS
// Many files of a submission include this: one of them is kept.
extern "C" [[gnu::weak, gnu::used]] int pthread_create(pthread_t* thread,
                                                       const pthread_attr_t* attributes,
                                                       void* (*routine)(void*),
                                                       void* argument) noexcept {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto next = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    return measured::counted_thread(routine, argument, [&](void* (*run)(void*), void* start) {
        return next(thread, attributes, run, start);
    });
}
// C's own, which the C library starts by itself.
extern "C" [[gnu::weak, gnu::used]] int thrd_create(thrd_t* thread, thrd_start_t routine,
                                                    void* argument) {
    using Create = int (*)(thrd_t*, thrd_start_t, void*);
    static const auto next = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "thrd_create"));
    return measured::counted_thread(
        routine, argument, [&](thrd_start_t run, void* start) { return next(thread, run, start); });
}
#endif
