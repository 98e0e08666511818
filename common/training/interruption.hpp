#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>

namespace training {

/// Thrown by a training that was interrupted, once its checkpoint is written.
struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Does `work`; SIGINT, SIGTERM and SIGHUP (a terminal that is closed) set its flag. If it then
/// throws Interrupted, one line on stderr says that --resume continues, and the process ends with
/// status 130.
void run_interruptibly(const std::function<void(const std::atomic<bool>& stop)>& work);

} // namespace training
