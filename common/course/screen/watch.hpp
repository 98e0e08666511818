#pragma once

#include <set>
#include <string>
#include <vector>

#include "course/lessons.hpp"
#include "course/screen/background.hpp"
#include "course/screen/check.hpp"
#include "course/screen/file_watch.hpp"
#include "course/screen/screen.hpp"
#include "course/screen/watch_view.hpp"

namespace course {

/// Shows an exercise on a terminal, checks its file at every save, and shows the verdict; follows
/// the learner to other exercises until they quit.
class Watch {
public:
    Watch(const Project& project, std::size_t exercise);
    /// Returns the exit status of the program.
    int run();

private:
    const Project& project_;
    Watched watched_;
    FileWatch files_;
    Screen screen_;
    Check check_;
    Background background_;
    std::set<std::string> changed_; // exercises to be graded
    Scroll scroll_;
    int asked_ = 0;   // the key that waits for a yes
    int status_ = -1; // the program's exit status, once it is to end

    // watch.cpp: events
    /// Waits for an event and handles it.
    void wait();
    /// Takes the output of the processes at work, and starts the next.
    void advance();
    void take_signals();
    void go_to(std::size_t exercise);
    void plan();
    /// Files have been saved: checks the open one, or goes to the only other one.
    void take_changes(const std::vector<std::size_t>& files);
    void close_page();
    void open_page(Page page);
    void check();
    void take_verdict();
    void take_verdict_behind(const judge::Verdict& verdict);

    // watch_keys.cpp: the learner's keys
    void press(int key);
    void answer(int asked, bool yes);
    /// Keys that scroll, or move the choice in the list; false for any other.
    bool move(int key);
    /// q and Escape close a page; so does any key with a meaning of its own.
    void press_on_page(int key);
    void command(int key);
    void step_to(std::size_t exercise, const char* no_such);
    void open_hint();
    void ask_for_solution();
    void show_solution();
    void put_stub_back();
    /// Runs the lesson's walk-through on the terminal itself.
    void walk_through();
};

} // namespace course
