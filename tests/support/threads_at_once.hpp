#pragma once

// How many threads a call has at once, counted inside of a submission.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <thread>
#include <vector>

#include "machine/workers_seen.hpp"

namespace support {

/// The threads that work() has beside its caller, or that parallel_for shares its work out to.
/// Where one thread ends and another begins, both are there for a moment: what counts is there
/// for a tenth of the time.
template <class Work>
std::size_t threads_at_once(const Work& work) {
    const auto threads_now = [] { // 0 where the system does not report it
        using Entry = std::filesystem::directory_iterator;
        std::error_code untold;
        return static_cast<std::size_t>(std::distance(Entry("/proc/self/task", untold), Entry()));
    };
    attention::most_workers_since_last_call();
    const std::size_t before = threads_now() + 1; // with the one that counts
    std::vector<std::size_t> counts;
    std::jthread counting([&](const std::stop_token& done) {
        while (!done.stop_requested()) {
            counts.push_back(threads_now());
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    });
    work();
    counting.request_stop();
    counting.join();
    std::ranges::sort(counts);
    const std::size_t most = counts.empty() ? 0 : counts[counts.size() * 9 / 10];
    return std::max(most - std::min(most, before), attention::most_workers_since_last_call());
}

} // namespace support
