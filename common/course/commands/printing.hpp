#pragma once

// What the commands print of exercises and verdicts, and how far they are.

#include <functional>
#include <string>
#include <vector>

#include "course/grading/build.hpp"
#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// A line on standard error that says what takes so long; where somebody watches, and gone when the
/// work is done. Elsewhere it is told once that much is built. For a program that watches, each is
/// a line of its own.
class Progress {
public:
    explicit Progress(bool for_a_program = false) : for_a_program_(for_a_program) {}
    ~Progress() { show(""); }
    void show(const std::string& text);
    BuildProgress build();

private:
    bool for_a_program_;
    bool shown_ = false;
};

/// What to do next, a line each: the files to open, the commands to run. Nothing where it is
/// passed.
std::string next_step(const Project& project, const Exercise& exercise, judge::State state);

/// "was ended by signal 9 (Killed): …" for a status of 128 + 9; "" if it ended as it was asked to.
std::string ended_by_signal(int status);

/// Each line two spaces further in, and ended.
std::string indented(const std::string& lines);

/// On standard output, with a drawing of the answer where that is a terminal.
void print_verdict(const Project& project, const Exercise& exercise, const judge::Verdict& verdict);

std::size_t count_passed(const std::vector<judge::Verdict>& verdicts);

/// The exercises under their lessons and parts: line(i) for each.
std::vector<std::string> table_of(const Project& project, const std::vector<Exercise>& exercises,
                                  const std::function<std::string(std::size_t)>& line);

/// A line for each exercise, under its lesson, and how many are passed.
void print_table(const Project& project, const std::vector<Exercise>& exercises,
                 const std::vector<judge::Verdict>& verdicts);

} // namespace course
