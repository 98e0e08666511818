#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "course/lessons.hpp"
#include "judge/verdict.hpp"

namespace book {

/// An event for the pages: server-sent events have a name and data.
struct Event {
    std::uint64_t number;
    std::string name;
    std::string data; // one line of JSON
};

/// The state of every exercise. Written by the grading, read by all that serve pages.
class Board {
public:
    explicit Board(const course::Project& project);

    void set_checking(const std::string& exercise);
    /// verdict: nothing where none is known.
    void set(const std::string& exercise, std::optional<judge::Verdict> verdict);
    void tell(const std::string& name, const nlohmann::json& data);

    /// {"lessons": […]}, as GET /api/state answers.
    nlohmann::json state() const;
    std::optional<judge::Verdict> verdict(const std::string& exercise) const;
    /// {"ok": true, "yours": text, "ours": text} once the exercise is passed; else {"ok": false,
    /// "words": why not}.
    nlohmann::json solution(const std::string& exercise) const;

    /// The number of the last event.
    std::uint64_t latest() const;
    /// The events after this one; waits for one, but not longer than this. A request that is too
    /// late gets those that are still kept.
    std::vector<Event> after(std::uint64_t number, std::chrono::milliseconds patience);
    /// Wakes all that wait, from now on at once.
    void close();

private:
    /// For the pages, with the terminal's text about it.
    nlohmann::json json_of(const course::Exercise& exercise) const;

    const course::Project& project_;
    nlohmann::json lessons_; // their constant part
    mutable std::mutex mutex_;
    std::condition_variable told_;
    std::map<std::string, judge::Verdict> verdicts_;
    std::set<std::string> checking_;
    std::deque<Event> events_;
    std::uint64_t latest_ = 0;
    bool closed_ = false;
};

} // namespace book
