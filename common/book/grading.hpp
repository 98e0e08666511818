#pragma once

#include <deque>
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

/// Watches the exercises' files, grades every save, and puts the results on the board, all on the
/// thread that calls run(); other threads may only send wishes.
class Grading {
public:
    Grading(const course::Project& project, Board& board);

    /// Until the descriptor `stop` becomes readable.
    void run(int stop);

    /// A page of this lesson has been opened: what it needs is built.
    void open(const std::string& lesson);

    /// Lesson 07's translator is built.
    void want_translator();

private:
    void wait(int stop);
    void take_changes();
    void take_wishes();
    void poke();
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

    std::mutex mutex_; // for what follows
    std::string wished_;
    bool translator_wished_ = false;
    process::Pipe wish_; // written to when there is a wish
};

} // namespace book
