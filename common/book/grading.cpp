#include "book/grading.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include "course/grading/grade.hpp"
#include "course/screen/place.hpp"

namespace book {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds between_attempts{10}; // at building what could not be built

} // namespace

Grading::Grading(const course::Project& project, Board& board)
    : project_(project), board_(board), exercises_(all_exercises(project)), files_(exercises_),
      background_(project), lesson_(project.lessons.front().folder) {
    wish_.read_end.do_not_wait();
    wish_.write_end.do_not_wait();
    for (const course::Exercise& exercise : exercises_) {
        board_.set(exercise.id, course::last_verdict(project, exercise));
        if (!course::is_untouched(exercise) &&
            course::trouble_with_file(project, exercise).empty()) {
            changed_.insert(exercise.id); // since it was graded, for all we know
        }
    }
}

void Grading::run(int stop) {
    plan();
    for (pollfd ended{stop, POLLIN, 0}; poll(&ended, 1, 0) == 0;) {
        advance();
        wait(stop);
    }
    check_.cancel();
    background_.check().cancel();
    translator_.cancel();
}

void Grading::wait(int stop) {
    course::Check& behind = background_.check();
    std::array<pollfd, 9> events{{{stop, POLLIN, 0},
                                  {wish_.read_end.number(), POLLIN, 0},
                                  {files_.descriptor(), POLLIN, 0},
                                  {check_.output(), POLLIN, 0},
                                  {check_.progress(), POLLIN, 0},
                                  {behind.output(), POLLIN, 0},
                                  {behind.progress(), POLLIN, 0},
                                  {translator_.output(), POLLIN, 0},
                                  {translator_.progress(), POLLIN, 0}}};
    const int patience = course::least_patience(
        {files_.patience(), check_.patience(), behind.patience(), translator_.patience()});
    const int ready = poll(events.data(), events.size(), patience);
    if (events[1].revents != 0) {
        take_wishes();
    }
    if (ready == 0 || events[2].revents != 0) {
        take_changes();
    }
}

void Grading::take_changes() {
    const std::vector<std::size_t> files = files_.changed();
    for (const std::size_t file : files) {
        const course::Exercise& exercise = exercises_[file];
        std::erase(waiting_, file);
        if (check_.running() && current_ == file) {
            check_.cancel(); // it grades the text before
        }
        if (course::is_untouched(exercise) ||
            !course::trouble_with_file(project_, exercise).empty()) {
            changed_.erase(exercise.id);
            board_.set(exercise.id, course::last_verdict(project_, exercise));
        } else {
            changed_.insert(exercise.id);
            waiting_.push_back(file);
            board_.set_checking(exercise.id);
        }
    }
    if (files.size() == 1) {
        course::remember_place(project_, exercises_[files[0]]);
        lesson_ = course::lesson_of(project_, exercises_[files[0]]).folder;
    }
    if (!files.empty()) {
        plan();
    }
}

void Grading::start_next() {
    if (check_.running() || waiting_.empty()) {
        return;
    }
    current_ = waiting_.back(); // the newest is what somebody looks at
    waiting_.pop_back();
    background_.make_way("grade", course::lesson_of(project_, exercises_[current_]).id);
    check_.start(project_, exercises_[current_]);
}

void Grading::take(const judge::Verdict& verdict) {
    const bool saved_again =
        std::any_of(waiting_.begin(), waiting_.end(), [&](const std::size_t file) {
            return exercises_[file].id == verdict.exercise;
        });
    if (!saved_again) {
        changed_.erase(verdict.exercise);
        board_.set(verdict.exercise, verdict);
    }
}

void Grading::advance() {
    if (check_.advance()) {
        note_end(exercises_[current_].id, check_);
        for (const judge::Verdict& verdict : check_.verdicts()) {
            take(verdict);
        }
        if (check_.verdicts().empty()) { // it could not be graded, and the page says why
            judge::Verdict verdict;
            verdict.exercise = exercises_[current_].id;
            verdict.summary = check_.trouble();
            take(verdict);
        }
    }
    const std::string building = background_.lesson();
    if (background_.advance()) {
        for (const judge::Verdict& verdict : background_.check().verdicts()) {
            take(verdict);
        }
    }
    if (!building.empty() && !background_.check().running()) {
        note_end(building, background_.check());
    }
    if (translator_.advance()) {
        note_end(translator, translator_);
    }
    start_next();
    if (!check_.running()) {
        background_.go_on();
    }
}

void Grading::open(const std::string& lesson) {
    const std::lock_guard lock(mutex_);
    opened_ = lesson;
    poke();
}

std::string Grading::want(const std::string& what) {
    const std::lock_guard lock(mutex_);
    const auto failed = failures_.find(what);
    const bool known = failed != failures_.end();
    if (!known || Clock::now() - failed->second.when > between_attempts) {
        wished_.insert(what);
        poke();
    }
    return known ? failed->second.words : "";
}

void Grading::note_end(const std::string& what, const course::Check& check) {
    const std::lock_guard lock(mutex_);
    failures_.erase(what);
    if (!check.trouble().empty()) {
        failures_[what] = {check.trouble(), Clock::now()};
    }
}

void Grading::poke() {
    if (write(wish_.write_end.number(), "", 1) < 0) {
        return; // it is full of wishes
    }
}

void Grading::take_wishes() {
    std::string ignored;
    process::take(wish_.read_end, ignored);
    std::unique_lock lock(mutex_);
    const std::set<std::string> wished = std::exchange(wished_, {});
    std::string lesson = std::exchange(opened_, "");
    lock.unlock();
    for (const std::string& what : wished) {
        if (what == translator) {
            if (!translator_.running()) {
                translator_.start_in_background(project_, {"book", "--prepare"});
            }
        } else if (what.find('.') != std::string::npos) { // an exercise
            const auto at = std::find_if(exercises_.begin(), exercises_.end(),
                                         [&](const auto& each) { return each.id == what; });
            const auto file = static_cast<std::size_t>(at - exercises_.begin());
            if (!at_work(file)) {
                waiting_.push_front(file);
            }
        } else {
            if (!background_.builds_ours()) { // those come one after the other
                background_.make_way("", "");
            }
            background_.forget(what);
            lesson = course::find_lesson(project_, what).folder;
        }
    }
    if (!lesson.empty() && (lesson != lesson_ || !wished.empty())) {
        lesson_ = lesson;
        plan();
    }
}

bool Grading::at_work(std::size_t file) const {
    return (check_.running() && current_ == file) ||
           std::find(waiting_.begin(), waiting_.end(), file) != waiting_.end();
}

void Grading::plan() {
    const course::Lesson& lesson = course::find_lesson(project_, lesson_);
    std::vector<std::string> changed; // except the one that is being graded
    for (std::size_t i = 0; i < exercises_.size(); ++i) {
        if (changed_.contains(exercises_[i].id) && !at_work(i)) {
            changed.push_back(exercises_[i].id);
        }
    }
    background_.plan(lesson.exercises.front(), changed, course::Background::For::pages);
}

} // namespace book
