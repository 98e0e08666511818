#include "course/screen/background.hpp"

#include <algorithm>

namespace course {

void Background::add(const std::string& lesson, const std::vector<std::string>& words) {
    const bool planned = std::any_of(tasks_.begin(), tasks_.end(),
                                     [&](const Task& task) { return task.words == words; });
    if (!planned && !done_.contains(words)) {
        tasks_.push_back({lesson, words});
    }
}

void Background::plan(const Exercise& open, const std::vector<std::string>& changed, For whom) {
    const Lesson& lesson = lesson_of(project_, open);
    const auto same = [&](const Lesson& each) { return each.id == lesson.id; };
    const auto next = std::find_if(project_.lessons.begin(), project_.lessons.end(), same) + 1;
    tasks_.erase(tasks_.begin() + (check_.running() ? 1 : 0), tasks_.end());
    if (whom == For::pages) {
        add(lesson.id, {"grade", "--prepare", "--solution", "--progress", lesson.id});
    }
    add(lesson.id, {"grade", "--prepare", "--progress", lesson.id});
    if (!changed.empty()) {
        std::vector<std::string> words{"grade", "--format", "json", "--progress"};
        words.insert(words.end(), changed.begin(), changed.end());
        tasks_.push_back({"", words});
    }
    const auto& exercises = lesson.exercises;
    const bool nearly_done = exercises.size() < 3 || open.id >= exercises[exercises.size() - 2].id;
    if (nearly_done && next != project_.lessons.end()) {
        add(next->id, {"grade", "--prepare", "--progress", next->id});
    }
    if (whom == For::terminal) {
        add(lesson.id, {"run", "--prepare", lesson.id});
    }
}

void Background::forget(const std::string& lesson) {
    std::erase_if(done_, [&](const auto& words) { return words.back() == lesson; });
}

bool Background::builds_ours() const {
    return check_.running() &&
           std::count(tasks_.front().words.begin(), tasks_.front().words.end(), "--solution") > 0;
}

void Background::go_on() {
    if (!check_.running() && !tasks_.empty()) {
        check_.start_in_background(project_, tasks_.front().words);
    }
}

void Background::make_way(const std::string& command, const std::string& lesson) {
    if (check_.running() &&
        (tasks_.front().words.front() != command || tasks_.front().lesson != lesson)) {
        check_.cancel();
    }
}

bool Background::advance() {
    if (!check_.advance() || check_.interrupted()) { // then it begins again
        return false;
    }
    done_.insert(tasks_.front().words);
    tasks_.pop_front();
    return !check_.verdicts().empty();
}

} // namespace course
