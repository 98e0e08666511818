#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "course/screen/check.hpp"

namespace course {

/// What is done at low priority while the learner reads and writes, so that they need not wait for
/// it later: the graders of the lesson at hand and of the next, exercises that have changed
/// elsewhere, and walk-throughs. One after the other; what the learner asks for comes first.
class Background {
public:
    explicit Background(const Project& project) : project_(project) {}

    /// What it is done for: a terminal shows walk-throughs, pages run figures on our solutions.
    enum class For { terminal, pages };
    /// Plans what there is to do around an exercise that is now open. changed: exercises to grade.
    void plan(const Exercise& open, const std::vector<std::string>& changed,
              For whom = For::terminal);
    /// Starts what comes next, unless something is going on.
    void go_on();
    /// Lets a command of the learner's ("grade" or "run") go first: what is being done is put off,
    /// unless it builds what that command needs.
    void make_way(const std::string& command, const std::string& lesson);

    Check& check() { return check_; }
    /// Takes what has come. True when there are verdicts.
    bool advance();

private:
    struct Task {
        std::string lesson; // for which it builds what `grade` or `run` needs, or ""
        std::vector<std::string> words;
    };

    const Project& project_;
    Check check_;
    std::deque<Task> tasks_; // the first is being done if check_ is running
    std::set<std::vector<std::string>> done_;

    void add(const std::string& lesson, const std::vector<std::string>& words);
};

} // namespace course
