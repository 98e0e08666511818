#pragma once

// How far a class is, for who watches it and for who reads it in a file.

#include <chrono>
#include <mutex>
#include <string>

#include "course/commands/printing.hpp"

namespace classroom {

/// Says on standard error what takes so long: on a terminal in a line that moves, elsewhere in a
/// line for each stage. What is said of a hand-in goes to standard output as soon as it is graded.
class ClassProgress {
public:
    explicit ClassProgress(std::size_t hand_ins) : total_(hand_ins) {}

    void stage(const std::string& text);
    course::BuildProgress build();

    /// The clock of the time left runs from here.
    void begin_grading();
    /// A hand-in is graded. Several threads may say so.
    ///   text   lines, each with its end
    void done(const std::string& text);
    /// Takes the moving line away.
    void end();

private:
    std::mutex mutex_;
    std::size_t total_;
    std::size_t done_ = 0;
    int tenths_ = 0; // of the build that were said
    std::chrono::steady_clock::time_point begun_;
    course::Progress line_;
};

} // namespace classroom
