#include "course/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

namespace course {

namespace {

[[noreturn]] void become(const std::vector<std::string>& command, const RunOptions& options,
                         int output, int failure) {
    if (options.capture) {
        dup2(output, STDOUT_FILENO);
        if (options.merge_errors) {
            dup2(output, STDERR_FILENO);
        }
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); // what we started ends with us
#endif
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) {
        _exit(127);
    }
    for (const auto& [name, value] : options.environment) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t put = write(failure, &error, sizeof error);
    _exit(127);
}

} // namespace

Finished run(const std::vector<std::string>& command, const RunOptions& options) {
    std::array<int, 2> output{};
    std::array<int, 2> failure{};
    if (pipe2(output.data(), O_CLOEXEC) != 0 || pipe2(failure.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    }
    const pid_t child = fork();
    if (child == 0) {
        become(command, options, output[1], failure[1]);
    }
    close(output[1]);
    close(failure[1]);
    int error = child < 0 ? errno : 0;
    [[maybe_unused]] const ssize_t got = read(failure[0], &error, sizeof error);
    close(failure[0]);

    Finished finished;
    std::string line;
    std::array<char, 65536> chunk{};
    const auto deadline = std::chrono::steady_clock::now() + options.time;
    while (options.capture && error == 0) {
        pollfd watched{output[0], POLLIN, 0};
        const int ready = poll(&watched, 1, 100);
        if (std::chrono::steady_clock::now() > deadline) {
            finished.late = true;
            kill(child, SIGKILL);
            break;
        }
        if (ready <= 0) {
            continue;
        }
        const ssize_t count = read(output[0], chunk.data(), chunk.size());
        if (count <= 0) {
            break;
        }
        for (const char c : std::string_view(chunk.data(), static_cast<std::size_t>(count))) {
            finished.output += c;
            if (c != '\n') {
                line += c;
            } else if (options.on_line) {
                options.on_line(line);
                line.clear();
            } else {
                line.clear();
            }
        }
    }
    close(output[0]);
    int status = 0;
    if (options.on_late && child > 0) {
        const auto late = std::chrono::steady_clock::now() + options.patience;
        siginfo_t info{};
        while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               info.si_pid == 0 && std::chrono::steady_clock::now() < late) {
            poll(nullptr, 0, 20);
        }
        if (info.si_pid == 0) {
            options.on_late();
        }
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), "cannot run " + command.front());
    }
    finished.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return finished;
}

} // namespace course
