#include "machine/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "machine/workers_seen.hpp"

namespace attention {
namespace {

thread_local bool is_working = false;
std::atomic<std::size_t> most_workers{0};

void remember(std::size_t workers) {
    std::size_t most = most_workers;
    while (most < workers && !most_workers.compare_exchange_weak(most, workers)) {
    }
}

// Marks this thread while it shares work out, however that ends.
struct Working {
    Working() { is_working = true; }
    ~Working() { is_working = false; }
    Working(const Working&) = delete;
    Working& operator=(const Working&) = delete;
};

// One call of parallel_for.
struct Job {
    const std::function<void(std::size_t, std::size_t)>& work;
    const std::size_t items;
    std::atomic<std::size_t> next{0};
    std::mutex mutex = {};
    std::exception_ptr failure = {};

    void run(std::size_t worker) {
        try {
            for (std::size_t item = next++; item < items; item = next++) {
                work(item, worker);
            }
        } catch (...) {
            next = items;
            const std::lock_guard lock(mutex);
            failure = failure ? failure : std::current_exception();
        }
    }
};

class Pool {
public:
    ~Pool() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    // False if another thread has the pool.
    bool run(Job& job, std::size_t helpers) {
        const std::unique_lock mine(in_use_, std::try_to_lock);
        if (!mine) {
            return false;
        }
        {
            const std::lock_guard lock(mutex_);
            while (threads_.size() < helpers) {
                threads_.emplace_back([this] { help(); });
            }
            job_ = &job;
            wanted_ = helpers;
            joined_ = 0;
        }
        wake_.notify_all();
        job.run(0);
        std::unique_lock lock(mutex_);
        wanted_ = 0; // a thread that has not woken by now is too late
        idle_.wait(lock, [this] { return active_ == 0; });
        return true;
    }

private:
    void help() {
        is_working = true;
        std::unique_lock lock(mutex_);
        while (true) {
            wake_.wait(lock, [this] { return ending_ || wanted_ > 0; });
            if (ending_) {
                return;
            }
            --wanted_;
            ++active_;
            Job& job = *job_;
            const std::size_t worker = ++joined_;
            lock.unlock();
            job.run(worker);
            lock.lock();
            if (--active_ == 0) {
                idle_.notify_one();
            }
        }
    }

    std::mutex in_use_;
    std::mutex mutex_; // of all below
    std::condition_variable wake_, idle_;
    Job* job_ = nullptr;
    std::size_t wanted_ = 0, joined_ = 0, active_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

} // namespace

std::size_t most_workers_since_last_call() {
    return most_workers.exchange(0);
}

std::size_t thread_count(std::size_t wanted) {
    return wanted != 0 ? wanted : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t workers, std::size_t items,
                  const std::function<void(std::size_t, std::size_t)>& work) {
    static Pool pool;
    Job job{work, items};
    const std::size_t useful = std::min(workers, items);
    bool shared = false;
    if (useful > 1 && !is_working) {
        const Working working;
        remember(useful);
        shared = pool.run(job, useful - 1);
    }
    if (!shared) {
        job.run(0);
    }
    if (job.failure) {
        std::rethrow_exception(job.failure);
    }
}

} // namespace attention
