#pragma once

// How many threads a call has at work at once, asked inside a submission: those that it starts, and
// those that parallel_for shares its work out to. And a call whose threads are stopped here and
// there. What is started is known by a pthread_create of our own, which the C++ library calls, too:
// it forwards to the one that is next and wraps what the thread runs. A sanitizer has a
// pthread_create of its own, and other systems find theirs by other means: there only parallel_for
// tells, and nothing is stopped. Threads that are kept from earlier calls are not counted.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

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
#include <csignal>
#include <ctime>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
#endif

namespace measured {

/// Whether the thread that asks is at work itself, while there are others: by processor time.
class Caller {
public:
#ifdef MEASURED_THREADS
    void begin() {
        thread_ = pthread_self();
        begin_again();
    }
    void begin_again() {
        own_before_ = seconds(own_clock());
        all_before_ = seconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    void pass(bool beside_others) {
        const double own = own_before_, all = all_before_;
        begin_again();
        own_ += beside_others ? own_before_ - own : 0;
        all_ += beside_others ? all_before_ - all : 0;
    }
    bool is_this() const {
        return pthread_equal(thread_, pthread_self()) != 0;
    }
    /// Beside a single other: half of the time would be its share.
    bool works() const {
        return own_ > 0.35 * all_;
    }

private:
    clockid_t own_clock() const {
        clockid_t clock{};
        pthread_getcpuclockid(thread_, &clock);
        return clock;
    }
    static double seconds(clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    pthread_t thread_{};
    double own_ = 0, all_ = 0, own_before_ = 0, all_before_ = 0;
#else
    void begin() {}
    void begin_again() {}
    void pass(bool /*beside_others*/) {}
    bool is_this() const {
        return false;
    }
    bool works() const {
        return false;
    }
#endif
};

/// The threads that were started since begin(), and have not ended.
class Started {
public:
    void begin() {
        const std::lock_guard lock(mutex_);
        ++measurement_;
        at_work_ = 0;
        time_with_.fill({});
        since_ = Clock::now();
        caller_.begin();
    }

    /// What starting a thread costs its caller is no work.
    template <class Create>
    int created_by(const Create& create) {
        if (!caller_.is_this()) {
            return create();
        }
        {
            const std::lock_guard lock(mutex_);
            pass();
        }
        const int error = create();
        const std::lock_guard lock(mutex_);
        caller_.begin_again();
        return error;
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

    /// Of all calls that were measured: whether their caller worked beside a single thread.
    bool caller_works() {
        const std::lock_guard lock(mutex_);
        return caller_.works();
    }

private:
    using Clock = std::chrono::steady_clock;

    void pass() {
        const Clock::time_point now = Clock::now();
        time_with_[std::min(at_work_, time_with_.size() - 1)] += now - since_;
        since_ = now;
        caller_.pass(at_work_ > 0);
    }

    std::mutex mutex_;
    std::uint64_t measurement_ = 0;
    std::size_t at_work_ = 0;
    std::array<Clock::duration, 65> time_with_{}; // so many, the last: or more
    Clock::time_point since_{};
    Caller caller_;
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
/// The threads that there are, of those that were started here or said so themselves.
class Threads {
public:
    void add_this() {
        const std::lock_guard lock(mutex_);
        ids_.push_back(this_id());
    }
    void remove_this() {
        const std::lock_guard lock(mutex_);
        std::erase(ids_, this_id());
    }
    std::size_t count() {
        const std::lock_guard lock(mutex_);
        return ids_.size();
    }
    /// To one after the other.
    void signal_next(int signal) {
        const std::lock_guard lock(mutex_);
        if (!ids_.empty()) {
            syscall(SYS_tgkill, getpid(), ids_[++next_ % ids_.size()], signal);
        }
    }

private:
    static long this_id() { return syscall(SYS_gettid); }

    std::mutex mutex_;
    std::vector<long> ids_;
    std::size_t next_ = 0;
};
inline Threads threads_there;

/// What work gives, while its threads are stopped in turn, each for a moment and wherever it is.
/// What two of them write to one place is soon met by both, on a machine that is busy or has one
/// processor, too.
template <class Work>
auto interrupted(const Work& work) {
    struct sigaction stop = {};
    stop.sa_handler = [](int) {
        const timespec moment{0, 1};
        nanosleep(&moment, nullptr);
    };
    stop.sa_flags = SA_RESTART;
    sigaction(SIGURG, &stop, nullptr); // which nobody minds
    struct Listed {
        Listed() { threads_there.add_this(); }
        ~Listed() { threads_there.remove_this(); }
    } const listed;
    const std::jthread interrupter([](const std::stop_token& is_done) {
        threads_there.remove_this();
        while (!is_done.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
            threads_there.signal_next(SIGURG);
        }
    });
    return work();
}

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
        ~End() {
            threads_there.remove_this();
            threads_started.ended(measurement);
        }
    } const end{start.measurement};
    threads_there.add_this();
    return start.routine(start.argument);
}

/// Counts a thread that create(what it runs, with what) starts.
template <class Result, class Create>
int counted_thread(Result (*routine)(void*), void* argument, const Create& create) {
    auto* const start = new Start<Result>{routine, argument, threads_started.started()};
    const int error = threads_started.created_by([&] { return create(&run<Result>, start); });
    if (error != 0) {
        threads_started.ended(start->measurement);
        delete start;
    }
    return error;
}
#else
template <class Work>
auto interrupted(const Work& work) {
    return work();
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
        // 2 MiB of stack let hundreds of threads be; where there are few, they have the usual 8.
        pthread_attr_t usual;
        if (attributes == nullptr && measured::threads_there.count() < 16 &&
            pthread_attr_init(&usual) == 0) {
            pthread_attr_setstacksize(&usual, std::size_t{8} << 20U);
            const int error = next(thread, &usual, run, start);
            pthread_attr_destroy(&usual);
            if (error == 0) {
                return 0;
            }
        }
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
