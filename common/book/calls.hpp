#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <nlohmann/json.hpp>

#include "book/board.hpp"
#include "book/helper.hpp"

namespace book {

/// What a figure asks: a function of one of its lesson's exercises, with arguments of its own.
struct Question {
    std::string lesson; // its folder
    std::string function;
    nlohmann::json arguments;
    std::string side; // ours, theirs or auto: theirs once the exercise is begun
    std::string slot; // within which only the newest question matters
};

/// Answers figures, by asking submissions within the judge's limits.
class Calls {
public:
    /// Told what has to be built first: the learner's exercise, or our solutions of its lesson.
    /// Returns why that failed the last time, or "".
    using Wants = std::function<std::string(const course::Exercise& exercise, bool theirs)>;
    Calls(const course::Project& project, const Board& board, Wants wants);

    /// {"ok": true, "side": …, "value": …, "printed": …}, or {"ok": false, "side": …, "state": …,
    /// "words": …}. Waits while others are asked. A list of calls has a list of answers.
    nlohmann::json answer(const std::string& body);
    /// The same for our own solutions, with a question that is not text.
    nlohmann::json answer(const Question& question);
    /// Ends all that runs, for the end of the program: from then on nothing is asked.
    void stop();

private:
    struct Line {
        explicit Line(const std::vector<std::string>& command) : helper(command) {}
        Queue queue;
        Helper helper;
        std::string stamp; // of the program when it was started: another is another program
        std::uint64_t used = 0;
    };

    nlohmann::json answer_one(nlohmann::json asked);
    const course::Exercise* exercise_of(const Question& question) const;
    nlohmann::json not_built(const std::string& program, const course::Exercise& exercise,
                             bool theirs) const;
    nlohmann::json ask(const std::string& program, const Question& question);
    std::shared_ptr<Line> line_to(const std::string& program);

    const course::Project& project_;
    const Board& board_;
    Wants wants_;
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Line>> lines_; // by program
    std::uint64_t uses_ = 0;
    std::atomic<bool> stopped_ = false;
};

} // namespace book
