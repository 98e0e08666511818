#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>

#include <sys/types.h>

#include "judge/codec.hpp"
#include "judge/outcome.hpp"

namespace judge {

struct Limits {
    std::chrono::milliseconds time{4000};       // wall time a call
    std::chrono::milliseconds total{10000};     // and of all calls of an exercise together
    std::size_t memory = std::size_t{1} << 30;  // bytes of address space, for the whole child
    std::size_t output = std::size_t{16} << 10; // bytes kept of what it prints; the rest is dropped
    std::size_t reply = std::size_t{64} << 20;  // bytes of one answer
    std::size_t file = std::size_t{16} << 20;   // bytes of any file it writes
    std::size_t files = std::size_t{64} << 20;  // bytes of all that is in its folder
    std::size_t descriptors = 64;               // open at once
    bool confined = true; // false, for tests: as on a kernel that keeps it from nothing
};

/// Set by a signal handler that wants the program to come to its end: from then on every call ends
/// at once, as NotStarted.
extern volatile std::sig_atomic_t interrupted;

/// The limits this build can hold: sanitizers need more time and cannot live with a memory limit.
Limits default_limits();

/// A submission in a process of its own. It is kept between calls and started again after any
/// abnormal end; whatever it started ends with it.
class Child {
public:
    explicit Child(const std::filesystem::path& program, Limits limits = default_limits());
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Calls a function of the submission. variant: a misconception's name, or empty.
    Outcome call(const std::string& function, const List& arguments,
                 const std::string& variant = "");

    /// What the last call printed, at most limits.output bytes of it.
    const std::string& output() const { return output_; }
    /// Whether more was printed than output() holds.
    bool output_cut() const { return output_cut_; }

private:
    std::string start();
    void stop();
    bool running();
    Outcome converse(const std::string& message, std::uint64_t nonce);
    Outcome ended(std::chrono::steady_clock::time_point deadline);
    void drain();

    std::filesystem::path program_;
    Limits limits_;
    std::filesystem::path folder_; // where the process runs, new for each and removed with it
    pid_t process_ = -1;
    int calls_ = -1;
    int replies_ = -1;
    int printed_ = -1;
    std::string output_;
    bool output_cut_ = false;
};

} // namespace judge
