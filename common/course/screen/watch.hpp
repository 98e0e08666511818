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

/// Shows an exercise on a terminal, checks its file at every save, and shows what came of it; goes
/// on to other exercises as the learner does, until they quit.
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
    int asked_ = 0;   // the key that was answered by a question
    int status_ = -1; // of the program, once it is to end

    // watch.cpp: what happens
    /// Until something happens, and does what it asks for.
    void wait();
    /// Takes what the processes at work have said, and starts what is next.
    void advance();
    void take_signals();
    void go_to(std::size_t exercise);
    void plan();
    /// Files have been saved: the one at hand is checked, another alone is followed.
    void take_changes(const std::vector<std::size_t>& files);
    void close_page();
    void open_page(Page page);
    void check();
    void take_verdict();
    void take_verdict_behind(const judge::Verdict& verdict);

    // watch_keys.cpp: what the learner asks for
    void press(int key);
    void answer(int asked, bool yes);
    /// The keys that move through what is shown, in the list the choice; false for any other.
    bool move(int key);
    /// Over a page q and Escape close it; so does any key with a meaning of its own.
    void press_on_page(int key);
    void command(int key);
    void step_to(std::size_t exercise, const char* no_such);
    void open_hint();
    void ask_for_solution();
    void show_solution();
    void put_stub_back();
    /// Runs the lesson's walk-through on the terminal itself.
    void walk_through();
    void take_signals_of_another();
};

} // namespace course
