#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"
#include "process/pipe.hpp"

namespace course {

/// With --progress, the beginning of a line on standard error that only reports progress.
constexpr const char* progress_mark = "@progress ";

/// ./course in another process, grading or building, so that a newer save can end it.
class Check {
public:
    Check() = default;
    ~Check();
    Check(const Check&) = delete;
    Check& operator=(const Check&) = delete;

    /// Starts grading an exercise, and ends what was running.
    void start(const Project& project, const Exercise& exercise);
    /// Starts any command that prints JSON or nothing, at low priority.
    void start_in_background(const Project& project, const std::vector<std::string>& words);
    /// Interrupts it, without waiting for its end; half-built files are removed.
    void cancel();
    bool running() const { return process_ > 0; }

    /// Descriptors to poll, −1 where there are none: its output, and its progress.
    int output() const { return output_.number(); }
    int progress() const { return errors_.number(); }
    /// Milliseconds after which to call advance() anyway; −1: never.
    int patience() const { return ending_.empty() ? -1 : 100; }

    /// Takes what has arrived. True when it has ended: then verdicts() or trouble() is set.
    bool advance();
    /// "building 3/12", or "".
    const std::string& step() const { return step_; }
    const std::vector<judge::Verdict>& verdicts() const { return verdicts_; }
    /// One line that says why there is no verdict.
    const std::string& trouble() const { return trouble_; }
    /// Whether somebody else has interrupted what is over now, to go first.
    bool interrupted() const { return interrupted_; }

private:
    struct Ending {
        pid_t group = -1;
        std::chrono::steady_clock::time_point deadline{}; // then it is killed
    };

    void start(const Project& project, const std::vector<std::string>& words, bool background);
    void listen();
    void bury();

    pid_t process_ = -1; // and its group
    std::vector<Ending> ending_;
    process::Descriptor output_;
    process::Descriptor errors_;
    std::string said_;
    std::string complained_;
    std::string step_;
    std::vector<judge::Verdict> verdicts_;
    std::string trouble_;
    bool interrupted_ = false;
};

} // namespace course
