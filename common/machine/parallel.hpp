#pragma once

// Work shared out over threads that are kept between calls: starting one costs as much as a small
// attention.

#include <cstddef>
#include <functional>

namespace attention {

/// `wanted`, or, if that is 0, as many as the machine runs at once.
std::size_t thread_count(std::size_t wanted);

/// Calls work(item, worker) for every item = 0 … items − 1 on at most `workers` threads, the
/// caller's among them, and returns when all are done. Whoever is free takes the next item, so
/// items start in order; worker, below `workers`, says whose scratch memory to use. A call from
/// inside of work, or while another thread is in here, runs on its caller's thread alone: there are
/// never more threads at work than one call wants. The first exception ends the work and is
/// passed on.
void parallel_for(std::size_t workers, std::size_t items,
                  const std::function<void(std::size_t item, std::size_t worker)>& work);

} // namespace attention
