#include "course/screen/check.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course {

namespace {

constexpr int background_niceness = 10; // the learner's own programs come first

void close_and_forget(int& descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
    descriptor = -1;
}

/// Appends what can be read now; false at the end.
bool take(int descriptor, std::string& text) {
    std::array<char, 4096> chunk{};
    for (;;) {
        const ssize_t got = read(descriptor, chunk.data(), chunk.size());
        if (got <= 0) {
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
        text.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

} // namespace

void Check::start(const Project& project, const Exercise& exercise) {
    start(project, {"grade", exercise.id, "--format", "json", "--progress"}, false);
}

void Check::start_in_background(const Project& project, const std::vector<std::string>& words) {
    start(project, words, true);
}

void Check::start(const Project& project, const std::vector<std::string>& words, bool background) {
    cancel();
    said_.clear();
    complained_.clear();
    step_.clear();
    verdicts_.clear();
    trouble_.clear();
    std::array<int, 2> output{};
    std::array<int, 2> errors{};
    if (pipe(output.data()) != 0 || pipe(errors.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    }
    const std::string program = project.build / "course";
    std::vector<char*> command{const_cast<char*>(program.c_str())};
    for (const std::string& word : words) {
        command.push_back(const_cast<char*>(word.c_str()));
    }
    command.push_back(nullptr);
    // A signal to the child must not find our handlers in it.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    process_ = fork();
    if (process_ == 0) {
        setpgid(0, 0); // what it starts ends with it
        if (background) {
            setpriority(PRIO_PROCESS, 0, background_niceness);
        }
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH}) {
            std::signal(signal, SIG_DFL);
        }
        sigprocmask(SIG_SETMASK, &before, nullptr);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(output[1], STDOUT_FILENO);
        dup2(errors[1], STDERR_FILENO);
        for (const int end : {output[0], output[1], errors[0], errors[1]}) {
            close(end);
        }
        execv(command[0], command.data());
        _exit(127);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (process_ < 0) {
        throw std::system_error(errno, std::generic_category(), "cannot start ./course");
    }
    setpgid(process_, process_);
    close(output[1]);
    close(errors[1]);
    output_ = output[0];
    errors_ = errors[0];
    for (const int end : {output_, errors_}) {
        fcntl(end, F_SETFL, O_NONBLOCK);
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
}

void Check::cancel() {
    if (process_ > 0) {
        // An interrupt first: ninja then removes what it had half made, a grader its folder.
        kill(-process_, SIGINT);
        ending_.push_back({process_, std::chrono::steady_clock::now() + std::chrono::seconds(2)});
    }
    process_ = -1;
    close_and_forget(output_);
    close_and_forget(errors_);
}

/// Forgets the groups that are gone, and kills those that had long enough.
void Check::bury() {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(ending_, [&](const Ending& ending) {
        waitpid(ending.group, nullptr, WNOHANG);
        const bool late = now > ending.deadline;
        if (late) {
            kill(-ending.group, SIGKILL);
            waitpid(ending.group, nullptr, 0);
        }
        return late || kill(-ending.group, 0) != 0;
    });
}

Check::~Check() {
    cancel();
    for (int i = 0; i < 30 && !ending_.empty(); ++i) { // nobody is to wait for long
        bury();
        poll(nullptr, 0, ending_.empty() ? 0 : 10);
    }
}

void Check::listen() {
    if (errors_ >= 0 && !take(errors_, complained_)) {
        close_and_forget(errors_);
    }
    for (std::size_t end = 0; (end = complained_.find('\n')) != std::string::npos;) {
        const std::string line = complained_.substr(0, end);
        complained_.erase(0, end + 1);
        if (line.starts_with(progress_mark)) {
            step_ = line.substr(std::string_view(progress_mark).size());
        } else {
            constexpr std::string_view name = "course: ";
            trouble_ = line.starts_with(name) ? line.substr(name.size()) : line;
        }
    }
}

bool Check::advance() {
    bury();
    if (process_ <= 0) {
        return false;
    }
    listen();
    if (take(output_, said_)) {
        return false;
    }
    waitpid(process_, nullptr, 0);
    process_ = -1;
    listen(); // its last words are all there now
    close_and_forget(output_);
    close_and_forget(errors_);
    try {
        verdicts_ = nlohmann::json::parse(said_).get<std::vector<judge::Verdict>>();
    } catch (const nlohmann::json::exception&) {
        if (trouble_.empty()) {
            trouble_ = "grading ended without a verdict; ./course grade says more";
        }
    }
    return true;
}

} // namespace course
