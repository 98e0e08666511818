#include "training/interruption.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>

namespace training {
namespace {

std::atomic<bool> stop_asked = false;

extern "C" void ask_to_stop(int) {
    stop_asked = true;
}

void handle_signals(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(signal, handler);
    }
}

} // namespace

void run_interruptibly(const std::function<void(const std::atomic<bool>& stop)>& work) {
    handle_signals(ask_to_stop);
    try {
        work(stop_asked);
    } catch (const Interrupted&) {
        std::cout << std::flush;
        std::cerr << "\nInterrupted; nothing is lost: the same command with --resume (after --) "
                     "goes on.\n";
        std::_Exit(130);
    }
    handle_signals(SIG_DFL);
}

} // namespace training
