#include "book/board.hpp"

#include <algorithm>

#include "course/commands/printing.hpp"
#include "course/commands/solution.hpp"
#include "course/files.hpp"

namespace book {

using judge::State;
using judge::Verdict;
using nlohmann::json;

namespace {

constexpr std::size_t most_events = 256; // kept for pages that connect a little late

std::string line_of(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

Board::Board(const course::Project& project) : project_(project), lessons_(json::array()) {
    for (const course::Lesson& lesson : project.lessons) {
        lessons_.push_back({{"folder", lesson.folder},
                            {"id", lesson.id},
                            {"title", lesson.title},
                            {"idea", lesson.idea},
                            {"part", lesson.part}});
    }
}

json Board::json_of(const course::Exercise& exercise) const {
    json known = nullptr;
    json state = "not_graded";
    if (const auto found = verdicts_.find(exercise.id); found != verdicts_.end()) {
        const Verdict& verdict = found->second;
        known = verdict;
        state = known["state"];
        known["words"] = judge::render(verdict, {.name = exercise.title, .colours = false}) +
                         (verdict.state == State::passed
                              ? ""
                              : "\n" + course::next_step(project_, exercise, verdict.state));
    }
    return {{"id", exercise.id},
            {"title", exercise.title},
            {"functions", exercise.functions},
            {"state", state},
            {"file", course::short_path(project_, exercise.file)},
            {"absolute", exercise.file.string()},
            {"verdict", known},
            {"checking", checking_.contains(exercise.id)}};
}

void Board::tell(const std::string& name, const json& data) {
    const std::lock_guard lock(mutex_);
    events_.push_back({++latest_, name, line_of(data)});
    if (events_.size() > most_events) {
        events_.pop_front();
    }
    told_.notify_all();
}

void Board::set_checking(const std::string& exercise) {
    {
        const std::lock_guard lock(mutex_);
        checking_.insert(exercise);
    }
    tell("checking", {{"exercise", exercise}});
}

void Board::set(const std::string& exercise, std::optional<Verdict> verdict) {
    json known;
    {
        const std::lock_guard lock(mutex_);
        verdicts_.erase(exercise);
        if (verdict) {
            verdicts_.emplace(exercise, std::move(*verdict));
        }
        checking_.erase(exercise);
        known = json_of(course::find_exercises(project_, exercise).front());
    }
    tell("verdict", known);
}

json Board::state() const {
    const std::lock_guard lock(mutex_);
    json lessons = lessons_;
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        lessons[i]["exercises"] = json::array();
        for (const course::Exercise& exercise : project_.lessons[i].exercises) {
            lessons[i]["exercises"].push_back(json_of(exercise));
        }
    }
    return {{"lessons", lessons}};
}

std::optional<Verdict> Board::verdict(const std::string& exercise) const {
    const std::lock_guard lock(mutex_);
    const auto found = verdicts_.find(exercise);
    return found == verdicts_.end() ? std::nullopt : std::optional(found->second);
}

json Board::solution(const std::string& id) const {
    const auto known = verdict(id);
    if (!known || known->state != State::passed) {
        return {{"ok", false}, {"words", "Our solution is shown once yours has passed."}};
    }
    try {
        const course::Exercise exercise = course::find_exercises(project_, id).front();
        return {{"ok", true},
                {"yours", course::read_file(exercise.file).value_or("")},
                {"ours", course::solution_code(project_, exercise)}};
    } catch (const course::BadUse& error) {
        return {{"ok", false}, {"words", error.what()}};
    }
}

std::uint64_t Board::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

std::vector<Event> Board::after(std::uint64_t number, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    told_.wait_for(lock, patience, [&] { return closed_ || latest_ > number; });
    std::vector<Event> events;
    std::copy_if(events_.begin(), events_.end(), std::back_inserter(events),
                 [&](const Event& event) { return event.number > number; });
    return events;
}

void Board::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    told_.notify_all();
}

} // namespace book
