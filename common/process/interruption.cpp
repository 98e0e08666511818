#include "process/interruption.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "process/descendants.hpp"

namespace process {

namespace {

std::atomic<int> noted_signal{0}; // a signal handler needs it global; any thread looks
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) {
    noted_signal = signal;
}

} // namespace

Interruption::Interruption() {
    adopt_orphans();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction now {};
        if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
            std::signal(signal, note);
            taken_.push_back(signal);
        }
    }
}

Interruption::~Interruption() {
    for (const int signal : taken_) {
        std::signal(signal, SIG_DFL);
    }
    if (noted()) { // after the last look
        raise(noted_signal);
    }
}

bool Interruption::noted() {
    return noted_signal != 0;
}

void Interruption::end() {
    end_orphans();
    const int signal = noted_signal;
    std::signal(signal, SIG_DFL);
    raise(signal);
    std::_Exit(128 + signal);
}

} // namespace process
