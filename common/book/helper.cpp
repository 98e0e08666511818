#include "book/helper.hpp"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/start.hpp"

namespace book {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t most_waiting = 32;
constexpr std::size_t longest_answer = std::size_t{64} << 20; // bytes
constexpr std::chrono::milliseconds grace{300};               // to end in

} // namespace

void Helper::start() {
    process::Pipe questions;
    process::Pipe answers;
    const auto prepare = [&] {
        setpgid(0, 0); // Ctrl-C is for us to answer
        process::die_with_parent(SIGTERM);
        process::place({{questions.read_end.number(), STDIN_FILENO},
                        {answers.write_end.number(), STDOUT_FILENO}});
        process::keep_standard_descriptors_only();
    };
    signal(SIGPIPE, SIG_IGN); // it may end while it is written to
    process_ = process::start({.command = command_, .prepare = prepare});
    questions_ = std::move(questions.write_end);
    answers_ = std::move(answers.read_end);
    questions_.do_not_wait();
    answers_.do_not_wait();
    unread_.clear();
}

bool Helper::send(std::string line) {
    line += '\n';
    const auto deadline = Clock::now() + std::chrono::seconds(5); // it reads unless it is stuck
    for (std::string_view unsent = line; !unsent.empty();) {
        const ssize_t put = write(questions_.number(), unsent.data(), unsent.size());
        if ((put < 0 && errno != EAGAIN && errno != EINTR) || Clock::now() > deadline) {
            return false;
        }
        unsent.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
        pollfd room{questions_.number(), POLLOUT, 0};
        poll(&room, unsent.empty() ? 0 : 1, unsent.empty() ? 0 : 100);
    }
    return true;
}

std::optional<std::string> Helper::receive(std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    for (bool ended = false;;) {
        if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
            std::string line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (ended || left.count() <= 0 || unread_.size() > longest_answer) {
            return std::nullopt;
        }
        pollfd come{answers_.number(), POLLIN, 0};
        // Its last output and its end may arrive together.
        ended =
            poll(&come, 1, static_cast<int>(left.count())) > 0 && !process::take(answers_, unread_);
    }
}

std::optional<std::string> Helper::ask(const std::string& line,
                                       std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    // A running one may have ended meanwhile: then the question goes to another.
    for (bool fresh = false; !fresh && Clock::now() < deadline;) {
        fresh = !running();
        if (fresh) {
            stop();
            start();
        }
        if (send(line)) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
            if (auto answer = receive(left)) {
                return answer;
            }
        }
        stop();
    }
    return std::nullopt;
}

void Helper::stop() {
    questions_.close();
    answers_.close();
    if (process_ > 0) {
        kill(process_, SIGTERM); // it ends what it has started itself
        const auto deadline = Clock::now() + grace;
        while (process::is_running(process_) && Clock::now() < deadline) {
            poll(nullptr, 0, 5);
        }
        kill(-process_, SIGKILL);
        process::wait_for(process_);
    }
    process_ = -1;
}

void Helper::interrupt() const {
    if (const pid_t process = process_; process > 0) {
        kill(process, SIGTERM);
    }
}

bool Helper::running() const {
    return process::is_running(process_);
}

Turn Queue::enter(const std::string& slot) {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = ++tickets_;
    if (waiting_.size() >= most_waiting && !waiting_.contains(slot)) {
        return Turn::busy;
    }
    waiting_[slot] = ticket;
    changed_.notify_all(); // an older one of the slot is not asked any more
    const auto newest = [&] {
        const auto found = waiting_.find(slot);
        return found != waiting_.end() && found->second == ticket;
    };
    changed_.wait(lock, [&] { return !busy_ || !newest(); });
    if (!newest()) {
        return Turn::superseded;
    }
    waiting_.erase(slot);
    busy_ = true;
    return Turn::asked;
}

void Queue::leave() {
    const std::lock_guard lock(mutex_);
    busy_ = false;
    changed_.notify_all();
}

} // namespace book
