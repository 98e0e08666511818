#include "course/screen/watch.hpp"

#include <array>
#include <csignal>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <poll.h>

#include "course/build/grade.hpp"
#include "course/commands/commands.hpp"
#include "course/commands/solution.hpp"
#include "course/files.hpp"
#include "course/page.hpp"
#include "course/process.hpp"
#include "course/screen/check.hpp"
#include "course/screen/file_watch.hpp"
#include "course/screen/screen.hpp"
#include "course/screen/watch_view.hpp"

namespace course {

namespace {

class Watch {
public:
    Watch(const Project& project, const std::vector<judge::Verdict>& verdicts, std::size_t exercise)
        : project_(project), watched_(project) {
        watched_.exercises = find_exercises(project, "all");
        watched_.verdicts.assign(verdicts.begin(), verdicts.end());
        go_to(exercise);
    }

    int run() {
        while (status_ < 0) {
            screen_.draw(view(watched_, page_, screen_.size(), scroll_));
            wait();
        }
        return status_;
    }

private:
    const Project& project_;
    Watched watched_;
    Screen screen_;
    std::unique_ptr<FileWatch> file_;
    Check check_;
    Check preparation_; // of a lesson that has not been begun
    Page page_ = Page::verdict;
    std::size_t scroll_ = 0;
    int asked_ = 0;   // the key that was answered by a question
    int status_ = -1; // of the program, once it is to end

    /// Until something happens, and does what it asks for.
    void wait() {
        std::array<pollfd, 6> events{{{STDIN_FILENO, POLLIN, 0},
                                      {screen_.signals(), POLLIN, 0},
                                      {file_->descriptor(), POLLIN, 0},
                                      {check_.output(), POLLIN, 0},
                                      {check_.progress(), POLLIN, 0},
                                      {preparation_.output(), POLLIN, 0}}};
        const int ready = poll(events.data(), events.size(), file_->patience());
        if (events[1].revents != 0) {
            take_signals();
        }
        if (status_ < 0 && events[0].revents != 0) {
            for (const int key : screen_.keys()) {
                press(key);
            }
        }
        if ((ready == 0 || events[2].revents != 0) && file_->changed()) {
            check();
        }
        if (check_.running() && check_.advance()) {
            take_verdict();
        }
        preparation_.advance();
        watched_.step = check_.step();
    }

    void take_signals() {
        for (int signal = 0; (signal = screen_.next_signal()) != 0;) {
            if (signal == SIGTSTP) {
                screen_.stop_until_continued();
            } else if (signal != SIGWINCH) {
                status_ = 128 + signal;
            }
        }
    }

    void go_to(std::size_t exercise) {
        watched_.current = exercise;
        watched_.hints = 0;
        watched_.message.clear();
        scroll_ = 0;
        file_ = std::make_unique<FileWatch>(watched_.exercise().file);
        check();
    }

    void check() {
        watched_.output.clear();
        watched_.message.clear();
        page_ = Page::verdict;
        scroll_ = 0;
        check_.cancel();
        watched_.trouble = trouble_with_file(project_, watched_.exercise());
        watched_.checking = watched_.trouble.empty();
        if (watched_.checking) {
            check_.start(project_, watched_.exercise());
        }
    }

    void take_verdict() {
        watched_.checking = false;
        watched_.trouble = check_.trouble();
        if (check_.verdict()) {
            watched_.trouble.clear();
            watched_.verdicts[watched_.current] = check_.verdict();
            if (check_.verdict()->state == judge::State::not_started && !preparation_.running()) {
                preparation_.prepare(project_, watched_.exercise());
            }
        }
    }

    void press(int key) {
        const int asked = std::exchange(asked_, 0);
        const bool confirmed = asked != 0 && (key == 'y' || key == 'Y' || key == asked);
        watched_.message.clear();
        const std::size_t page = screen_.size().rows / 2;
        if (key == key_end_of_input || key == 4 || (key == 'q' && asked == 0)) {
            status_ = 0;
        } else if (key == key_down || key == 'j') {
            ++scroll_;
        } else if (key == key_up || key == 'k') {
            scroll_ -= std::min<std::size_t>(scroll_, 1);
        } else if (key == key_page_down || key == ' ') {
            scroll_ += page;
        } else if (key == key_page_up) {
            scroll_ -= std::min(scroll_, page);
        } else if (asked != 0 && !confirmed) {
            watched_.message = "Nothing was changed.";
        } else if (asked == 'x') {
            put_stub_back();
        } else if (asked == 's') {
            show_solution();
        } else {
            const bool elsewhere = page_ != Page::verdict || !watched_.output.empty();
            const bool again = (key == 'l' && page_ == Page::list) ||
                               (key == '?' && page_ == Page::help) ||
                               (key == 's' && !watched_.output.empty());
            if (elsewhere) {
                page_ = Page::verdict;
                watched_.output.clear();
                scroll_ = 0;
            }
            if (!again) {
                command(key);
            }
        }
    }

    void command(int key) {
        switch (key) {
        case 'h':
            open_hint();
            break;
        case 'n':
            if (watched_.current + 1 < watched_.exercises.size()) {
                go_to(watched_.current + 1);
            } else {
                watched_.message = "This is the last exercise.";
            }
            break;
        case 'p':
            if (watched_.current > 0) {
                go_to(watched_.current - 1);
            } else {
                watched_.message = "This is the first exercise.";
            }
            break;
        case 'l':
            page_ = Page::list;
            scroll_ = 0;
            break;
        case '?':
            page_ = Page::help;
            scroll_ = 0;
            break;
        case 'r':
            walk_through();
            break;
        case 's':
            if (watched_.passed(watched_.current)) {
                show_solution();
            } else {
                asked_ = 's';
                watched_.message =
                    fmt::format("{} is not passed yet. See the solution anyway? y or s shows it.",
                                watched_.exercise().id);
            }
            break;
        case 'x':
            asked_ = 'x';
            watched_.message = "Put the stub back? Your file is kept as a copy. y does it.";
            break;
        default:
            break;
        }
    }

    void open_hint() {
        const std::string page =
            read_file(lesson_of(project_, watched_.exercise()).page).value_or("");
        const std::size_t there = hints_of(page, watched_.exercise().id).size();
        if (watched_.hints < there) {
            ++watched_.hints;
            scroll_ = 10000; // the hint is what was asked for; drawing brings this down to the end
        } else {
            watched_.message = "These are all the hints there are.";
        }
    }

    void show_solution() {
        watched_.output =
            solution_text(project_, watched_.exercise(), watched_.passed(watched_.current));
        scroll_ = 0;
    }

    void put_stub_back() {
        try {
            const auto backup = reset_exercise(project_, watched_.exercise());
            file_->changed();
            check();
            watched_.message = backup.empty()
                                   ? "It is as it came."
                                   : "Your file is kept as " + short_path(project_, backup);
        } catch (const std::exception& error) {
            watched_.message = error.what();
        }
    }

    /// The terminal is the walk-through's meanwhile.
    void walk_through() {
        screen_.suspend();
        const std::string lesson = lesson_of(project_, watched_.exercise()).id;
        try {
            course::run({project_.build / "course", "run", lesson}, {.capture = false});
        } catch (const std::exception& error) {
            std::cerr << "course: " << error.what() << "\n";
        }
        while (screen_.next_signal() != 0) {
            // Ctrl-C was meant for the walk-through.
        }
        std::cout << "\nPress Enter to go back. " << std::flush;
        std::string line;
        std::getline(std::cin, line);
        std::cin.clear();
        screen_.resume();
    }
};

} // namespace

int watch(const Project& project, const std::vector<judge::Verdict>& verdicts,
          std::size_t exercise) {
    return Watch(project, verdicts, exercise).run();
}

} // namespace course
