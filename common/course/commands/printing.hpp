#pragma once

// What the commands print about exercises and verdicts, and their progress.

#include <functional>
#include <string>
#include <vector>

#include "course/grading/build.hpp"
#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace course {

/// A line on a terminal's standard error that says what takes so long, until the work is done.
/// Elsewhere a long build is announced once. For a program that watches, each step is a line.
class Progress {
public:
    explicit Progress(bool for_a_program = false) : for_a_program_(for_a_program) {}
    ~Progress() { show(""); }
    void show(const std::string& text);
    BuildProgress build();
    /// To be called with each verdict.
    void graded(std::size_t done, std::size_t total);

private:
    bool for_a_program_;
    bool shown_ = false;
};

/// Builds a target with its progress shown; throws BadUse, with the program's name, if that fails.
void build_or_throw(const Project& project, const std::string& target, const std::string& name);

/// What to do next, a line each: the files to open, the commands to run. Nothing once it is passed.
std::string next_step(const Project& project, const Exercise& exercise, judge::State state);

/// "was ended by signal 9 (Killed): …" for a status of 128 + 9; "" if a user ended it.
std::string ended_by_signal(int status);

/// Each line indented by two spaces, with its end.
std::string indented(const std::string& lines);

/// On standard output; on a terminal with a drawing of the answer.
void print_verdict(const Project& project, const Exercise& exercise, const judge::Verdict& verdict);

std::size_t count_passed(const std::vector<judge::Verdict>& verdicts);

/// The exercises under their lessons and parts: line(i) for each.
std::vector<std::string> table_of(const Project& project, const std::vector<Exercise>& exercises,
                                  const std::function<std::string(std::size_t)>& line);

/// A line for each exercise, under its lesson, and how many are passed.
void print_table(const Project& project, const std::vector<Exercise>& exercises,
                 const std::vector<judge::Verdict>& verdicts);

} // namespace course
