#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "course/screen/check.hpp"

namespace course {

/// Work at low priority while the learner reads and writes, so that they need not wait for it
/// later: building the graders of this lesson and the next, grading other exercises that have
/// changed, and building walk-throughs. One task at a time; what the learner waits for goes first.
class Background {
public:
    explicit Background(const Project& project) : project_(project) {}

    /// The user: a terminal shows walk-throughs, pages run figures on our solutions.
    enum class For { terminal, pages };
    /// Plans the work around the exercise that is now open. changed: exercises to grade.
    void plan(const Exercise& open, const std::vector<std::string>& changed,
              For whom = For::terminal);
    /// Starts the next task, unless one is running.
    void go_on();
    /// Lets a command of the learner's ("grade" or "run") go first: stops the running task, which
    /// begins again later, unless it builds what that command needs.
    void make_way(const std::string& command, const std::string& lesson);

    /// What was built for a lesson is gone: the next plan has it built again.
    void forget(const std::string& lesson);

    /// The lesson for which something is being built now, or "".
    std::string lesson() const { return check_.running() ? tasks_.front().lesson : ""; }

    /// Whether our solutions are being built now, for which a figure waits.
    bool builds_ours() const;

    Check& check() { return check_; }
    /// Takes what has arrived. True when there are verdicts.
    bool advance();

private:
    struct Task {
        std::string lesson; // whose `grade` or `run` needs what it builds, or ""
        std::vector<std::string> words;
    };

    const Project& project_;
    Check check_;
    std::deque<Task> tasks_; // the first is running if check_ is
    std::set<std::vector<std::string>> done_;

    void add(const std::string& lesson, const std::vector<std::string>& words);
};

} // namespace course
