#include "course/screen/watch.hpp"

#include <array>
#include <csignal>

#include <fmt/format.h>
#include <poll.h>

#include "course/grading/grade.hpp"
#include "course/screen/place.hpp"

namespace course {

Watch::Watch(const Project& project, std::size_t exercise)
    : project_(project), watched_(project), files_(all_exercises(project)), background_(project) {
    watched_.exercises = all_exercises(project);
    for (const Exercise& each : watched_.exercises) {
        watched_.verdicts.push_back(last_verdict(project, each));
        if (!is_untouched(each)) {
            changed_.insert(each.id); // it may have changed since it was graded
        }
    }
    go_to(exercise);
}

int Watch::run() {
    while (status_ < 0) {
        screen_.draw(view(watched_, screen_.size(), scroll_));
        wait();
    }
    screen_.suspend(); // before what still runs is ended
    return status_;
}

void Watch::wait() {
    Check& behind = background_.check();
    std::array<pollfd, 7> events{{{STDIN_FILENO, POLLIN, 0},
                                  {screen_.signals(), POLLIN, 0},
                                  {files_.descriptor(), POLLIN, 0},
                                  {check_.output(), POLLIN, 0},
                                  {check_.progress(), POLLIN, 0},
                                  {behind.output(), POLLIN, 0},
                                  {behind.progress(), POLLIN, 0}}};
    const int patience = least_patience({files_.patience(), check_.patience(), behind.patience()});
    const int ready = poll(events.data(), events.size(), patience);
    if (events[1].revents != 0) {
        take_signals();
    }
    if (status_ < 0 && events[0].revents != 0) {
        for (const int key : screen_.keys()) {
            press(key);
            view(watched_, screen_.size(), scroll_); // sets how far one can scroll
        }
    }
    if (ready == 0 || events[2].revents != 0) {
        take_changes(files_.changed());
    }
    if (status_ < 0) {
        advance();
    }
}

void Watch::advance() {
    if (check_.advance()) {
        take_verdict();
    }
    if (background_.advance()) {
        for (const judge::Verdict& verdict : background_.check().verdicts()) {
            take_verdict_behind(verdict);
        }
    }
    if (!check_.running()) {
        background_.go_on();
    }
    const std::size_t others = changed_.size() - changed_.count(watched_.exercise().id);
    watched_.behind = others == 0 || !background_.check().running()
                          ? ""
                          : fmt::format("In the background: checking {} more exercise{} that you "
                                        "have written: {}",
                                        others, others == 1 ? "" : "s", background_.check().step());
    watched_.step = check_.step().empty() && background_.check().running()
                        ? background_.check().step() // a check may wait for it
                        : check_.step();
}

void Watch::take_signals() {
    for (int signal = 0; (signal = screen_.next_signal()) != 0;) {
        if (signal == SIGTSTP) {
            screen_.stop_until_continued();
        } else if (signal != SIGWINCH) {
            status_ = 128 + signal;
        }
    }
}

void Watch::go_to(std::size_t exercise) {
    watched_.current = exercise;
    watched_.hints = 0;
    check();
    remember_place(project_, watched_.exercise());
    plan();
}

void Watch::plan() {
    std::vector<std::string> others;
    for (const std::string& id : changed_) {
        if (id != watched_.exercise().id) {
            others.push_back(id);
        }
    }
    background_.plan(watched_.exercise(), others);
}

void Watch::take_changes(const std::vector<std::size_t>& files) {
    bool here = false;
    for (const std::size_t file : files) {
        here = here || file == watched_.current;
        changed_.insert(watched_.exercises[file].id);
        watched_.verdicts[file] = last_verdict(project_, watched_.exercises[file]);
    }
    if (!here && files.size() == 1 && !files_.missing(files[0])) {
        go_to(files[0]);
        watched_.message = fmt::format("You saved {}: here it is.", watched_.exercise().id);
    } else if (here) {
        check();
        plan();
    } else if (!files.empty()) {
        plan();
    }
}

void Watch::close_page() {
    watched_.page = Page::verdict;
    scroll_ = {};
}

void Watch::open_page(Page page) {
    close_page();
    watched_.page = page;
}

void Watch::check() {
    close_page();
    watched_.message.clear();
    check_.cancel();
    watched_.trouble = trouble_with_file(project_, watched_.exercise());
    const bool untouched = is_untouched(watched_.exercise()); // then there is nothing to build
    if (untouched) {
        watched_.verdicts[watched_.current] = last_verdict(project_, watched_.exercise());
        changed_.erase(watched_.exercise().id);
    }
    watched_.checking = watched_.trouble.empty() && !untouched;
    if (watched_.checking) {
        background_.make_way("grade", lesson_of(project_, watched_.exercise()).id);
        check_.start(project_, watched_.exercise());
    }
}

void Watch::take_verdict() {
    watched_.checking = false;
    watched_.trouble = check_.trouble();
    if (!check_.verdicts().empty()) {
        watched_.trouble.clear();
        watched_.verdicts[watched_.current] = check_.verdicts().front();
        changed_.erase(watched_.exercise().id);
        if (watched_.passed(watched_.current)) {
            watched_.hints = 0; // no longer needed
        }
    }
}

void Watch::take_verdict_behind(const judge::Verdict& verdict) {
    for (std::size_t i = 0; i < watched_.exercises.size(); ++i) {
        if (watched_.exercises[i].id == verdict.exercise && i != watched_.current) {
            watched_.verdicts[i] = verdict;
            changed_.erase(verdict.exercise);
        }
    }
}

} // namespace course
