#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "process/pipe.hpp"

namespace book {

/// A program of ours that answers a line with a line, kept between questions.
class Helper {
public:
    explicit Helper(std::vector<std::string> command) : command_(std::move(command)) {}
    ~Helper() { stop(); }
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

    /// Starts the program if it is not running. Nothing if it ended, or did not answer in time;
    /// then it is ended, and the next question starts another.
    std::optional<std::string> ask(const std::string& line, std::chrono::milliseconds patience);
    /// Asks it to end, and sees that it does.
    void stop();
    /// Asks it to end, from any thread, and does not wait: for the end of our own program.
    void interrupt() const;
    bool running() const;

private:
    void start();
    bool send(std::string line);
    std::optional<std::string> receive(std::chrono::milliseconds patience);

    std::vector<std::string> command_;
    std::atomic<pid_t> process_ = -1;
    process::Descriptor questions_;
    process::Descriptor answers_;
    std::string unread_;
};

/// The result of putting a question to a queue: it was sent, a newer one of its slot replaced it,
/// or too many wait, and it may be sent again later.
enum class Turn { asked, superseded, busy };

/// Many share one helper: it gets one question at a time, and of those that wait in one slot only
/// the newest. Each dragged figure has its own slot.
class Queue {
public:
    /// Runs ask when it is this question's turn.
    template <class Ask>
    Turn in_turn(const std::string& slot, const Ask& ask) {
        const Turn turn = enter(slot);
        if (turn == Turn::asked) {
            const Leave leave{*this};
            ask();
        }
        return turn;
    }

private:
    struct Leave {
        Queue& queue;
        ~Leave() { queue.leave(); }
    };
    Turn enter(const std::string& slot);
    void leave();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool busy_ = false;
    std::uint64_t tickets_ = 0;
    std::map<std::string, std::uint64_t> waiting_; // the newest ticket of each slot
};

} // namespace book
