#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "judge/codec.hpp"
#include "judge/limits.hpp"
#include "judge/outcome.hpp"
#include "process/pipe.hpp"

namespace judge {

/// Set by a signal handler to end the program: from then on every call ends at once, as NotStarted.
extern volatile std::sig_atomic_t interrupted;

/// A submission in a separate process, which is kept between calls and started again after any
/// abnormal end. Whatever it started ends with it.
class Child {
public:
    explicit Child(const std::filesystem::path& program, Limits limits = default_limits());
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Calls a function of the submission. variant: a mistake's name, or empty.
    Outcome call(const std::string& function, const List& arguments,
                 const std::string& variant = "");

    /// Calls a function, or several variants of it, with each list of arguments at once, which
    /// takes a fraction of the time. Nothing if one of them ended the process, or if all together
    /// took longer than a call may.
    std::optional<std::vector<Outcome>> call_each(const std::string& function,
                                                  const std::vector<List>& calls,
                                                  const std::vector<std::string>& variants = {""});

    /// The processor time that the last call took; where the system does not report it, its wall
    /// time.
    std::chrono::nanoseconds taken() const { return taken_; }

    /// The peak of its memory in bytes, without mapped files, as seen from outside if the limits
    /// say so. Nothing if that cannot be seen.
    std::optional<double> largest_anonymous() const;

    /// The output of the last call, at most limits.output bytes of it.
    const std::string& output() const { return output_; }
    /// Whether more was printed than output() keeps.
    bool output_cut() const { return output_cut_; }

private:
    struct Conversation;

    std::optional<Outcome> start();
    void stop();
    bool running() const;
    Outcome converse(const std::string& message);
    void send(std::string_view& unsent);
    std::optional<Outcome> out_of_bounds(Conversation& conversation);
    Outcome ended(std::chrono::steady_clock::time_point deadline);
    void drain();

    std::filesystem::path program_;
    Limits limits_;
    std::filesystem::path folder_; // where the process runs, new for each and removed with it
    pid_t process_ = -1;
    process::Descriptor calls_;
    process::Descriptor replies_;
    process::Descriptor printed_;
    std::string output_;
    bool output_cut_ = false;
    double largest_seen_ = 0; // of its memory, in bytes
    std::chrono::nanoseconds taken_{};
    std::chrono::steady_clock::duration paused_{};
};

} // namespace judge
