#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "course/lessons.hpp"
#include "course/screen/screen.hpp"
#include "process/pipe.hpp"

namespace course {

/// What a program writes to a terminal, as lines. A carriage return begins its line anew.
class WrittenLines {
public:
    void add(std::string_view bytes);
    const std::vector<std::string>& lines() const { return lines_; }

private:
    std::vector<std::string> lines_;
    bool returned_ = false; // a carriage return came last
};

/// The lines from begin to before end.
struct Section {
    std::size_t begin, end;
};

/// A walk-through's pages. One begins at each heading "1. Lengths and angles"; what stands before
/// the first belongs to it. One ends with each question, and the next begins with it, so that the
/// answer stands below. Never empty.
std::vector<Section> sections(const std::vector<std::string>& lines);

/// A lesson's walk-through, run on a terminal of its own so that it looks as it does on the
/// learner's.
class Walkthrough {
public:
    Walkthrough() = default;
    ~Walkthrough() { cancel(); }
    Walkthrough(const Walkthrough&) = delete;
    Walkthrough& operator=(const Walkthrough&) = delete;

    void start(const Project& project, const Lesson& lesson, Size size);
    void cancel();
    bool running() const { return process_ > 0; }

    /// A descriptor to poll, −1 where there is none.
    int output() const { return terminal_.number(); }
    /// Takes what has come.
    void advance();
    const std::vector<std::string>& lines() const { return written_.lines(); }

private:
    pid_t process_ = -1; // and its group
    process::Descriptor terminal_;
    WrittenLines written_;
};

} // namespace course
