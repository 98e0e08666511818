#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <nlohmann/json.hpp>

#include "book/board.hpp"
#include "book/helper.hpp"

namespace book {

/// Answers figures by calling submissions within the judge's limits.
class Calls {
public:
    /// Receives what has to be built first (Grading::want).
    using Wants = std::function<std::string(const std::string& what)>;
    Calls(const course::Project& project, const Board& board, Wants wants);

    /// body: {"lesson", "function", "arguments" or "each", "side": "ours", "theirs" or "auto",
    /// which is theirs once the exercise is begun, "slot": within which only the newest question
    /// matters}
    /// {"ok": true, "side": …, "value": …, "printed": …}, or {"ok": false, "side": …, "state": …,
    /// "words": …}. Waits while other calls run.
    /// Throws course::BadUse if body is something else.
    std::string answer(std::string body);
    /// Ends all that runs, for the end of the program: no call is made after it.
    void stop();

private:
    struct Line {
        explicit Line(const std::vector<std::string>& command) : helper(command) {}
        Queue queue;
        Helper helper;
        std::string stamp; // of the program when it was started: another is another program
        std::uint64_t used = 0;
    };

    const course::Exercise* exercise_of(const std::string& lesson,
                                        const std::string& function) const;
    std::string translated(const nlohmann::json& question, const std::string& slot);
    std::string ask(const std::string& program, const std::string& side, const std::string& slot,
                    const std::string& question);
    std::string trouble_with(const std::string& program, const std::string& wish,
                             const std::string& name) const;
    std::shared_ptr<Line> line_to(const std::string& program);

    const course::Project& project_;
    const Board& board_;
    Wants wants_;
    std::filesystem::path checkpoints_; // of ./course run 07
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Line>> lines_; // by program
    std::uint64_t uses_ = 0;
    std::atomic<bool> stopped_ = false;
};

} // namespace book
