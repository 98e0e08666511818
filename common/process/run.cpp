#include "process/run.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/descendants.hpp"
#include "process/pipe.hpp"
#include "process/start.hpp"

namespace process {

namespace {

using Clock = std::chrono::steady_clock;

void limit_memory(std::size_t most) {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(most)); // ours may be lower
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
}

void prepare(const RunOptions& options, const Pipe* output) {
    die_with_parent(SIGTERM); // what we started ends with us
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
    for (const auto& [name, value] : options.environment) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    if (options.memory > 0) { // last: we may have more than that already
        limit_memory(options.memory);
    }
}

/// Adds to a line that is not finished; of one without measure the beginning stays.
void add(std::string& unfinished, std::string_view more) {
    unfinished.append(more.substr(0, most_of_a_line - unfinished.size()));
}

/// Tells each line that is finished by what has come, and leaves what is not.
void tell_lines(std::string& unfinished, std::string_view more,
                const std::function<void(const std::string&)>& on_line) {
    for (std::size_t end = 0; (end = more.find('\n')) != std::string_view::npos;) {
        add(unfinished, more.substr(0, end));
        on_line(unfinished);
        unfinished.clear();
        more.remove_prefix(end + 1);
    }
    add(unfinished, more);
}

/// Has a child end: asked to, and killed with all that it has started where that takes too long.
void stop(pid_t child, std::chrono::milliseconds grace) {
    if (grace.count() > 0) {
        kill(child, SIGTERM);
    }
    const auto late = Clock::now() + grace;
    while (is_running(child)) {
        if (Clock::now() >= late) {
            end_with_descendants(child);
            return;
        }
        poll(nullptr, 0, 20);
    }
}

/// Takes what the child writes until it has written all, or its time is up.
void listen(pid_t child, const Descriptor& output, const RunOptions& options, Finished& finished) {
    const auto deadline = Clock::now() + options.time;
    std::string line;
    std::array<char, 65536> chunk{};
    for (;;) {
        pollfd watched{output.number(), POLLIN, 0};
        const int ready = poll(&watched, 1, 100);
        if (Clock::now() > deadline) {
            finished.late = true;
            end_with_descendants(child);
            return;
        }
        if (options.stop && options.stop()) {
            stop(child, options.grace);
            return;
        }
        if (ready <= 0) {
            continue;
        }
        const ssize_t got = read(output.number(), chunk.data(), chunk.size());
        if (got <= 0) {
            return;
        }
        const auto more = static_cast<std::size_t>(got);
        finished.output.append(chunk.data(), std::min(more, most_output - finished.output.size()));
        if (options.on_line) {
            tell_lines(line, {chunk.data(), more}, options.on_line);
        }
    }
}

/// Says once that the child still runs, if it does when patience is at its end.
void be_patient(pid_t child, const RunOptions& options) {
    const auto late = Clock::now() + options.patience;
    while (is_running(child)) {
        if (Clock::now() >= late) {
            options.on_late();
            return;
        }
        poll(nullptr, 0, 20);
    }
}

} // namespace

Finished run(const std::vector<std::string>& command, const RunOptions& options) {
    std::optional<Pipe> output;
    if (options.capture) {
        output.emplace();
    }
    const pid_t child = start({command, [&] { prepare(options, output ? &*output : nullptr); }});
    Finished finished;
    finished.process = child;
    if (output) {
        output->write_end.close();
        listen(child, output->read_end, options, finished);
    } else if (options.on_late) {
        be_patient(child, options);
    }
    const int status = wait_for(child);
    finished.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return finished;
}

} // namespace process
