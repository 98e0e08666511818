#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace process {

/// We keep the first 64 MiB of a process's output.
constexpr std::size_t most_output = std::size_t{64} << 20;
/// And the first 64 KiB of a line that is reported.
constexpr std::size_t most_of_a_line = std::size_t{64} << 10;

struct Finished {
    pid_t process = -1; // its id
    int status = 0;     // exit status, or 128 + the signal that ended it
    bool late = false;  // it was ended because its time was up
    std::string output; // what it wrote to standard output, and to standard error where merged
};

struct RunOptions {
    bool capture = true; // and give it no input; otherwise it shares our input and output
    bool merge_errors = true;
    std::string folder = {}; // to run in; empty: this one
    // Where output is captured, a program gets the part of our environment that environment.sh
    // names, and this.
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::function<void(const std::string&)> on_line = {}; // each line as it comes
    std::chrono::seconds time{3600}; // if output is captured; otherwise without a limit
    // True terminates it. Polled about ten times a second; ignored unless output is captured.
    std::function<bool()> stop = {};
    // How long it then has to end; after that it is killed with all that it has started.
    std::chrono::milliseconds grace{std::chrono::hours(1)};
    std::chrono::seconds patience{0};   // of computing, after which to call on_late once
    std::function<void()> on_late = {}; // where output is not captured
};

/// Runs a program, found through PATH, and waits for it, whether or not it closes its output first,
/// but not for processes that it leaves behind. Throws std::runtime_error if it cannot be started.
Finished run(const std::vector<std::string>& command, const RunOptions& options = {});

} // namespace process
