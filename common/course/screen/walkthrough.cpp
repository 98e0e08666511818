#include "course/screen/walkthrough.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/start.hpp"

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
    process::Descriptor terminal(posix_openpt(O_RDWR | O_NOCTTY));
    const int number = terminal.number();
    const char* const name = terminal.open() && grantpt(number) == 0 && unlockpt(number) == 0
                                 ? ptsname(number)
                                 : nullptr;
    if (name == nullptr) {
        throw std::system_error(errno, std::generic_category(), "cannot make a terminal");
    }
    const winsize window{static_cast<unsigned short>(size.rows),
                         static_cast<unsigned short>(size.columns), 0, 0};
    const std::string device = name;
    fcntl(number, F_SETFD, FD_CLOEXEC); // or the walk-through would keep its own terminal open
    terminal.do_not_wait();
    const auto prepare = [&] {
        setsid(); // what it starts ends with it
        const process::Descriptor end(open(device.c_str(), O_RDWR));
        if (!end.open()) {
            throw std::system_error(errno, std::generic_category());
        }
        ioctl(end.number(), TIOCSWINSZ, &window);
        process::place({{end.number(), STDIN_FILENO},
                        {end.number(), STDOUT_FILENO},
                        {end.number(), STDERR_FILENO}});
    };
    process_ =
        process::start({.command = {project.build / "course", "run", lesson.id, "--", "--no-stops"},
                        .prepare = prepare});
    terminal_ = std::move(terminal);
}

void Walkthrough::cancel() {
    if (process_ > 0) {
        kill(-process_, SIGINT);
        terminal_.close(); // a hang-up for what does not heed that
        for (int i = 0; i < 20 && waitpid(process_, nullptr, WNOHANG) == 0; ++i) {
            usleep(10000);
        }
        kill(-process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    process_ = -1;
    terminal_.close();
}

void Walkthrough::advance() {
    std::array<char, 65536> chunk{};
    while (terminal_.open()) {
        const ssize_t got = read(terminal_.number(), chunk.data(), chunk.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (got <= 0) { // its end is closed: an error on Linux
            terminal_.close();
            waitpid(process_, nullptr, 0);
            process_ = -1;
        } else {
            written_.add({chunk.data(), static_cast<std::size_t>(got)});
        }
    }
}

} // namespace course
