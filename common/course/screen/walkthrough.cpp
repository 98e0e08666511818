#include "course/screen/walkthrough.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course {

void WrittenLines::add(std::string_view bytes) {
    for (const char c : bytes) {
        if (lines_.empty()) {
            lines_.emplace_back();
        }
        if (c == '\n') {
            lines_.emplace_back();
        } else if (c != '\r') {
            if (returned_) {
                lines_.back().clear();
            }
            lines_.back() += c;
        }
        returned_ = c == '\r';
    }
    constexpr std::string_view erase = "\x1b[K";
    for (std::size_t at = 0;
         !lines_.empty() && (at = lines_.back().find(erase)) != std::string::npos;) {
        lines_.back().erase(at, erase.size());
    }
}

namespace {

/// "3. Title", in bold or not. No regular expression: a line may be as long as a learner prints it.
bool is_heading(std::string_view line) {
    while (line.starts_with("\x1b[")) {
        const std::size_t end = line.find('m');
        if (end == std::string_view::npos) {
            return false;
        }
        line.remove_prefix(end + 1);
    }
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    return digits > 0 && line.substr(digits).starts_with(". ");
}

} // namespace

std::vector<Section> sections(const std::vector<std::string>& lines) {
    std::vector<Section> all;
    const auto begin_at = [&](std::size_t begin, std::size_t end_of_last) {
        if (!all.empty()) {
            all.back().end = end_of_last;
        }
        all.push_back({begin, lines.size()});
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (is_heading(lines[i])) {
            begin_at(i, i);
        }
        if (lines[i].starts_with("? ")) {
            std::size_t end = i;
            while (end < lines.size() && !lines[end].empty()) {
                ++end;
            }
            begin_at(i, end);
        }
    }
    if (all.empty()) {
        all.push_back({0, lines.size()});
    }
    all.front().begin = 0;
    return all;
}

void Walkthrough::start(const Project& project, const Lesson& lesson, Size size) {
    cancel();
    written_ = {};
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    const char* const name = terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0
                                 ? ptsname(terminal)
                                 : nullptr;
    if (name == nullptr) {
        throw std::system_error(errno, std::generic_category(), "cannot make a terminal");
    }
    const winsize window{static_cast<unsigned short>(size.rows),
                         static_cast<unsigned short>(size.columns), 0, 0};
    const std::string device = name;
    const std::string program = project.build / "course";
    process_ = fork();
    if (process_ == 0) {
        setsid(); // what it starts ends with it
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH}) {
            std::signal(signal, SIG_DFL);
        }
        const int end = open(device.c_str(), O_RDWR);
        ioctl(end, TIOCSWINSZ, &window);
        for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            dup2(end, standard);
        }
        close(end);
        close(terminal);
        execl(program.c_str(), "course", "run", lesson.id.c_str(), "--", "--no-stops",
              static_cast<char*>(nullptr));
        _exit(127);
    }
    if (process_ < 0) {
        close(terminal);
        throw std::system_error(errno, std::generic_category(), "cannot start the walk-through");
    }
    terminal_ = terminal;
    fcntl(terminal_, F_SETFL, O_NONBLOCK);
    fcntl(terminal_, F_SETFD, FD_CLOEXEC);
}

void Walkthrough::cancel() {
    if (process_ > 0) {
        kill(-process_, SIGINT);
        close(terminal_); // a hang-up for what does not heed that
        for (int i = 0; i < 20 && waitpid(process_, nullptr, WNOHANG) == 0; ++i) {
            usleep(10000);
        }
        kill(-process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    process_ = -1;
    terminal_ = -1;
}

void Walkthrough::advance() {
    std::array<char, 65536> chunk{};
    while (terminal_ >= 0) {
        const ssize_t got = read(terminal_, chunk.data(), chunk.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (got <= 0) { // its end is closed: an error on Linux
            close(terminal_);
            terminal_ = -1;
            waitpid(process_, nullptr, 0);
            process_ = -1;
        } else {
            written_.add({chunk.data(), static_cast<std::size_t>(got)});
        }
    }
}

} // namespace course
