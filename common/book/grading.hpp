#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "book/board.hpp"
#include "course/screen/background.hpp"
#include "course/screen/check.hpp"
#include "course/screen/file_watch.hpp"
#include "process/pipe.hpp"

namespace book {

const std::string translator = "translator"; // in place of an id

/// Watches the exercises' files, grades every save, and puts the results on the board, all on the
/// thread that calls run(); other threads may only send wishes.
class Grading {
public:
    Grading(const course::Project& project, Board& board);

    /// Until the descriptor `stop` becomes readable.
    void run(int stop);

    /// A page of this lesson has been opened: what it needs is built.
    void open(const std::string& lesson);

    /// A program that a figure calls is not there: it is built, the learner's exercise, our
    /// solutions of a lesson, both by id, or the `translator` of lesson 07. Returns why that failed
    /// a moment ago, or "".
    std::string want(const std::string& what);

private:
    void wait(int stop);
    void take_changes();
    void take_wishes();
    void poke();
    bool at_work(std::size_t file) const;
    void note_end(const std::string& what, const course::Check& check);
    void advance();
    void start_next();
    void take(const judge::Verdict& verdict);
    void plan();

    const course::Project& project_;
    Board& board_;
    std::vector<course::Exercise> exercises_;
    course::FileWatch files_;
    course::Check check_;
    course::Background background_;
    course::Check translator_;        // as it is built
    std::deque<std::size_t> waiting_; // exercises that have been saved, the newest last
    std::size_t current_ = 0;         // the one that check_ grades
    std::set<std::string> changed_;   // since their last verdict
    std::string lesson_;              // the folder whose page was opened last

    struct Failure {
        std::string words;
        std::chrono::steady_clock::time_point when;
    };
    std::mutex mutex_; // for what follows
    std::string opened_;
    std::set<std::string> wished_;            // lessons, exercises, and the translator, by id
    std::map<std::string, Failure> failures_; // of what was wished
    process::Pipe wish_;                      // written to when there is one
};

} // namespace book
