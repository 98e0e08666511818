#include "process/start.hpp"

#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "process/pipe.hpp"

extern char** environ; // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace process {

namespace {

constexpr int out_of_the_way = 10; // above every number that a program knows a descriptor by

/// A descriptor of the same file, out of the way; -1 if there can be none.
int moved_away(int descriptor) {
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, out_of_the_way);
    if (moved < 0 && errno == EINVAL) { // an invalid number
        errno = EMFILE;                 // no process may have that many
    }
    return moved;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (const std::string& text : texts) {
        all.push_back(const_cast<char*>(text.c_str()));
    }
    all.push_back(nullptr);
    return all;
}

void forget_handlers() {
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH, SIGCHLD}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
            std::signal(signal, SIG_DFL);
        }
    }
}

[[noreturn]] void give_up(int error, int failure) {
    [[maybe_unused]] const ssize_t put = write(failure, &error, sizeof error);
    _exit(127);
}

/// In the new process. failure: where an error number goes; signals: those to be blocked.
[[noreturn]] void become(const Program& program, int failure, const sigset_t& signals) {
    forget_handlers();
    const int moved = moved_away(failure);
    if (moved < 0) {
        give_up(errno, failure);
    }
    try {
        program.prepare();
    } catch (const std::system_error& error) {
        give_up(error.code().value(), moved);
    }
    std::vector<char*> environment;
    if (program.environment) {
        environment = pointers(*program.environment);
        environ = environment.data();
    }
    sigprocmask(SIG_SETMASK, &signals, nullptr);
    const std::string& name = program.command.front();
    const std::vector<char*> arguments = pointers(program.command);
    // With a path, only what the system itself can run; execvp would also run a script with sh.
    name.find('/') == std::string::npos ? execvp(name.c_str(), arguments.data())
                                        : execv(name.c_str(), arguments.data());
    give_up(errno, moved);
}

} // namespace

pid_t start(const Program& program) {
    Pipe failure;
    // A signal between fork and exec would run our handler in the new process.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t process = fork();
    if (process == 0) {
        become(program, failure.write_end.number(), before);
    }
    int error = process < 0 ? errno : 0;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    failure.write_end.close();
    if (process > 0) {
        // Ends at once: with an error, or because exec closed the other end.
        while (read(failure.read_end.number(), &error, sizeof error) < 0 && errno == EINTR) {
        }
    }
    if (error != 0) {
        if (process > 0) {
            wait_for(process);
        }
        throw std::system_error(error, std::generic_category(),
                                "cannot run " + program.command.front());
    }
    return process;
}

void place(std::initializer_list<std::pair<int, int>> from_to) {
    std::vector<std::pair<int, int>> moved(from_to);
    for (auto& [from, to] : moved) { // first of all out of the way: one may have another's number
        from = moved_away(from);
        if (from < 0) {
            throw std::system_error(errno, std::generic_category());
        }
    }
    for (const auto& [from, to] : moved) {
        if (dup2(from, to) < 0) {
            throw std::system_error(errno, std::generic_category());
        }
    }
}

void keep_standard_descriptors_only() {
#ifdef CLOSE_RANGE_CLOEXEC
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
}

void die_with_parent([[maybe_unused]] int signal) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, signal);
#endif
}

int wait_for(pid_t child) {
    int status = 0;
    // A child that asked to be traced is reported when it stops, too.
    while (waitpid(child, &status, 0) < 0 ? errno == EINTR : WIFSTOPPED(status)) {
    }
    return status;
}

bool is_running(pid_t child) {
    siginfo_t info{};
    return child > 0 &&
           waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           (info.si_pid == 0 || info.si_code == CLD_TRAPPED); // traced, at its own wish, by us
}

} // namespace process
