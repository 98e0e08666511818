#pragma once

#include <vector>

namespace process {

/// While one lives, a signal that would end this process (an interrupt, a quit, a termination, a
/// hang-up) is only noted, so that the programs that we started can be ended first. Signals that
/// are already handled or ignored are not affected.
class Interruption {
public:
    Interruption();
    ~Interruption(); // and then it does end it
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// Whether such a signal has come.
    static bool noted();
    /// Ends all that this process has started, and theirs, and then itself by the signal noted.
    [[noreturn]] void end();

private:
    std::vector<int> taken_;
};

} // namespace process
