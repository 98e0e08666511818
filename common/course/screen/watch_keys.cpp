// What each key does while ./course watches.

#include <csignal>
#include <iostream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "course/commands/solution.hpp"
#include "course/files.hpp"
#include "course/grading/grade.hpp"
#include "course/page.hpp"
#include "course/screen/watch.hpp"
#include "process/run.hpp"
#include "show/text.hpp"

namespace course {

namespace {

/// Whether Watch::command knows it.
bool is_command(int key) {
    return key < 128 &&
           std::string_view("qhnpl?rsx").find(static_cast<char>(key)) != std::string_view::npos;
}

} // namespace

void Watch::press(int key) {
    const int asked = std::exchange(asked_, 0);
    watched_.message.clear();
    if (key == key_end_of_input || key == key_end_of_text) {
        status_ = 0;
    } else if (asked != 0) {
        answer(asked, key == 'y' || key == 'Y' || key == asked);
    } else if (!move(key)) {
        watched_.page == Page::verdict ? command(key) : press_on_page(key);
    }
}

void Watch::answer(int asked, bool yes) {
    if (!yes) {
        watched_.message = "Nothing was changed.";
    } else if (asked == 'x') {
        put_stub_back();
    } else {
        show_solution();
    }
}

bool Watch::move(int key) {
    const std::size_t page = std::max<std::size_t>(1, screen_.size().rows / 2);
    const bool list = watched_.page == Page::list;
    std::size_t& at = list ? watched_.chosen : scroll_.at;
    const std::size_t most = list ? watched_.exercises.size() - 1 : scroll_.most;
    switch (key) {
    case key_home:
        at = 0;
        return true;
    case key_end:
        at = most;
        return true;
    case key_down:
    case 'j':
        at = std::min(at + 1, most);
        return true;
    case key_up:
    case 'k':
        at -= std::min<std::size_t>(at, 1);
        return true;
    case key_page_down:
    case ' ':
        at = std::min(at + page, most);
        return true;
    case key_page_up:
        at -= std::min(at, page);
        return true;
    default:
        return false;
    }
}

void Watch::press_on_page(int key) {
    const Page page = watched_.page;
    if (page == Page::list && key == key_enter) {
        go_to(watched_.chosen);
    } else if (key == 'q' || key == key_escape || key == key_enter || is_command(key)) {
        close_page();
        const char own = page == Page::list ? 'l' : page == Page::help ? '?' : 's';
        if (is_command(key) && key != 'q' && key != own) {
            command(key);
        }
    }
}

void Watch::command(int key) {
    switch (key) {
    case 'q':
        status_ = 0;
        break;
    case 'h':
        open_hint();
        break;
    case 'n':
        step_to(watched_.current + 1, "This is the last exercise.");
        break;
    case 'p':
        step_to(watched_.current - 1, "This is the first exercise.");
        break;
    case 'l':
        open_page(Page::list);
        watched_.chosen = watched_.current;
        break;
    case '?':
        open_page(Page::help);
        break;
    case 'r':
        walk_through();
        break;
    case 's':
        ask_for_solution();
        break;
    case 'x':
        asked_ = 'x';
        watched_.message = files_.missing(watched_.current)
                               ? "Put the stub back? y does it."
                               : "Put the stub back? Your file is kept as a copy. y does it.";
        break;
    default:
        break;
    }
}

void Watch::step_to(std::size_t exercise, const char* no_such) {
    if (exercise < watched_.exercises.size()) { // one before the first is beyond the last
        go_to(exercise);
    } else {
        watched_.message = no_such;
    }
}

void Watch::open_hint() {
    const std::string page = read_file(lesson_of(project_, watched_.exercise()).page).value_or("");
    const std::size_t there = hints_of(page, watched_.exercise().id).size();
    if (watched_.hints < there) {
        ++watched_.hints;
        scroll_.at = 10000; // to the end, where the hint is
    } else {
        watched_.message = "These are all the hints there are.";
    }
}

void Watch::ask_for_solution() {
    if (watched_.passed(watched_.current)) {
        show_solution();
    } else {
        asked_ = 's';
        watched_.message =
            fmt::format("{} is not passed yet. See the solution anyway? y or s shows it.",
                        watched_.exercise().id);
    }
}

void Watch::show_solution() {
    open_page(Page::solution);
    watched_.solution = show::lines_of(
        solution_text(project_, watched_.exercise(), watched_.passed(watched_.current)));
}

void Watch::put_stub_back() {
    try {
        const bool missing = files_.missing(watched_.current);
        const auto backup = reset_exercise(project_, watched_.exercise());
        take_changes(files_.changed());
        watched_.message = !backup.empty() ? "Your file is kept as " + short_path(project_, backup)
                           : missing       ? "The file was missing; the stub is back."
                                           : "The file is the stub already.";
    } catch (const std::exception& error) {
        watched_.message = error.what();
    }
}

void Watch::walk_through() {
    const Lesson& lesson = lesson_of(project_, watched_.exercise());
    background_.make_way("run", lesson.id);
    screen_.suspend();
    try {
        process::run({project_.build / "course", "run", lesson.id}, {.capture = false});
    } catch (const std::exception& error) {
        std::cout << error.what() << "\n";
    }
    std::cout << "\nPress Space to continue with " << watched_.exercise().id << ". " << std::flush;
    for (int signal = 0; (signal = screen_.next_signal()) != 0;) { // SIGINT was not for us
        status_ = signal == SIGTERM || signal == SIGHUP ? 128 + signal : status_;
    }
    screen_.wait_for_key();
    screen_.resume();
}

} // namespace course
