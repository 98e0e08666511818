#include "course/screen/check.hpp"

#include <csignal>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "course/grading/build.hpp"
#include "process/start.hpp"

namespace course {

namespace {

constexpr int background_niceness = 10; // the learner's own programs come first

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
    std::vector<std::string> command{project.build / "course"};
    command.insert(command.end(), words.begin(), words.end());
    process::Pipe output;
    process::Pipe errors;
    const auto prepare = [&] {
        setpgid(0, 0); // what it starts ends with it
        process::die_with_parent(SIGTERM);
        if (background) {
            setpriority(PRIO_PROCESS, 0, background_niceness);
        }
        setenv(screen_variable, background ? "behind" : "front", 1);
        const process::Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
        process::place({{nothing.number(), STDIN_FILENO},
                        {output.write_end.number(), STDOUT_FILENO},
                        {errors.write_end.number(), STDERR_FILENO}});
        process::keep_standard_descriptors_only();
    };
    process_ = process::start({.command = command, .prepare = prepare});
    output_ = std::move(output.read_end);
    errors_ = std::move(errors.read_end);
    output_.do_not_wait();
    errors_.do_not_wait();
}

void Check::cancel() {
    if (process_ > 0) {
        // An interrupt first: ninja then removes what it had half made, a grader its folder.
        kill(-process_, SIGINT);
        ending_.push_back({process_, std::chrono::steady_clock::now() + std::chrono::seconds(2)});
    }
    process_ = -1;
    output_.close();
    errors_.close();
}

/// Forgets the groups that have ended, and kills those whose time is up.
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
    if (errors_.open() && !process::take(errors_, complained_)) {
        errors_.close();
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
    if (process::take(output_, said_)) {
        return false;
    }
    int status = 0;
    waitpid(process_, &status, 0);
    interrupted_ = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
    process_ = -1;
    listen(); // all its output has arrived
    output_.close();
    errors_.close();
    try {
        verdicts_ = nlohmann::json::parse(said_).get<std::vector<judge::Verdict>>();
    } catch (const nlohmann::json::exception&) {
        if (status == 0) {
            trouble_.clear(); // it has built something
        } else if (trouble_.empty()) {
            trouble_ = "grading ended without a verdict; ./course grade says more";
        }
    }
    return true;
}

} // namespace course
