#include "process/run.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/descendants.hpp"
#include "process/pipe.hpp"
#include "process/start.hpp"

namespace process {

namespace {

using Clock = std::chrono::steady_clock;

/// The environment of a program whose output we read, whatever the user's is.
std::vector<std::string> environment_of(const RunOptions& options) {
    std::map<std::string, std::string> settings{{"LC_ALL", "C.UTF-8"}};
    std::istringstream names(PROCESS_PASSED);
    for (std::string name; names >> name;) {
        if (const char* const value = std::getenv(name.c_str())) {
            settings[name] = value;
        }
    }
    for (const auto& [name, value] : options.environment) {
        settings[name] = value;
    }
    std::vector<std::string> all;
    for (const auto& [name, value] : settings) {
        all.push_back(std::string(name).append("=").append(value));
    }
    return all;
}

void prepare(const RunOptions& options, const Pipe* output) {
    die_with_parent(SIGTERM); // children end with us
    if (output != nullptr) {
        const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
        const int in = nothing.number();
        const int out = output->write_end.number();
        options.merge_errors
            ? place({{in, STDIN_FILENO}, {out, STDOUT_FILENO}, {out, STDERR_FILENO}})
            : place({{in, STDIN_FILENO}, {out, STDOUT_FILENO}});
    }
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) {
        throw std::system_error(errno, std::generic_category());
    }
}

/// Adds to an unfinished line; of an endless one the beginning is kept.
void add(std::string& unfinished, std::string_view more) {
    unfinished.append(more.substr(0, most_of_a_line - unfinished.size()));
}

/// Reports each line that the new text completes, and keeps the rest.
void report_lines(std::string& unfinished, std::string_view more,
                  const std::function<void(const std::string&)>& on_line) {
    for (std::size_t end = 0; (end = more.find('\n')) != std::string_view::npos;) {
        add(unfinished, more.substr(0, end));
        on_line(unfinished);
        unfinished.clear();
        more.remove_prefix(end + 1);
    }
    add(unfinished, more);
}

/// A child's output, taken as it arrives.
class Output {
public:
    Output(Descriptor from, const RunOptions& options, std::string& text)
        : from_(std::move(from)), options_(options), text_(text) {}

    /// Takes what has arrived, and waits a while if there is nothing. Usually the child ends right
    /// after its last output, so the wait is short at first.
    void take_within_a_while() {
        if (!from_.open()) {
            std::this_thread::sleep_for(pause_);
            pause_ = std::min(2 * pause_, longest);
            return;
        }
        pollfd watched{from_.number(), POLLIN, 0};
        if (poll(&watched, 1, static_cast<int>(longest / std::chrono::milliseconds(1))) > 0 &&
            take() == 0) {
            from_.close();
        }
    }

    /// Takes only what has arrived: a grandchild may write for ever.
    void take_the_rest() {
        int left = 0;
        if (!from_.open() || ioctl(from_.number(), FIONREAD, &left) != 0) {
            return;
        }
        while (left > 0) {
            const std::size_t got = take();
            left = got > 0 ? left - static_cast<int>(got) : 0;
        }
    }

private:
    static constexpr std::chrono::microseconds longest{100'000};

    std::size_t take() {
        const ssize_t got = read(from_.number(), chunk_.data(), chunk_.size());
        if (got <= 0) {
            return 0;
        }
        const std::string_view more(chunk_.data(), static_cast<std::size_t>(got));
        text_.append(more.substr(0, most_output - text_.size()));
        if (options_.on_line) {
            report_lines(line_, more, options_.on_line);
        }
        return more.size();
    }

    Descriptor from_;
    const RunOptions& options_;
    std::string& text_;
    std::string line_; // that is not finished
    std::chrono::microseconds pause_{20};
    std::array<char, 65536> chunk_{};
};

/// Reads what the child writes until it has ended; ends it when its time is up, or when
/// options.stop says so.
void listen(pid_t child, Descriptor from, const RunOptions& options, Finished& finished) {
    Output output(std::move(from), options, finished.output);
    auto deadline = Clock::now() + options.time;
    bool stopping = false;
    while (is_running(child)) {
        output.take_within_a_while();
        if (!stopping && options.stop && options.stop()) {
            stopping = true;
            deadline = std::min(deadline, Clock::now() + options.grace);
            if (options.grace.count() > 0) {
                kill(child, SIGTERM);
            }
        }
        if (Clock::now() >= deadline) {
            finished.late = !stopping;
            end_with_descendants(child);
            break;
        }
    }
    output.take_the_rest();
}

/// How long a process has computed; waiting, as for a key, does not count.
std::chrono::seconds computed(pid_t process) {
    timespec time{};
#if defined(_POSIX_CPUTIME) && _POSIX_CPUTIME >= 0
    clockid_t clock{};
    if (clock_getcpuclockid(process, &clock) == 0) {
        clock_gettime(clock, &time);
    }
#endif
    return std::chrono::seconds(time.tv_sec);
}

/// Says once that the child still computes, if it does when patience is at its end.
void be_patient(pid_t child, const RunOptions& options) {
    while (is_running(child)) {
        if (computed(child) >= options.patience) {
            options.on_late();
            return;
        }
        poll(nullptr, 0, 20);
    }
}

} // namespace

Finished run(const std::vector<std::string>& command, const RunOptions& options) {
    std::optional<Pipe> output;
    Program program{command, [&] { prepare(options, output ? &*output : nullptr); }};
    if (options.capture) {
        output.emplace();
        program.environment = environment_of(options);
    }
    const pid_t child = start(program);
    Finished finished;
    finished.process = child;
    if (output) {
        output->write_end.close();
        listen(child, std::move(output->read_end), options, finished);
    } else if (options.on_late) {
        be_patient(child, options);
    }
    const int status = wait_for(child);
    finished.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return finished;
}

} // namespace process
