#include "pseudo_terminal.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <regex>
#include <stdexcept>
#include <string_view>

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{60};
constexpr std::string_view drawing_starts = "\x1b[H";
constexpr std::string_view drawing_ends = "\x1b[J";

} // namespace

PseudoTerminal::PseudoTerminal(const std::vector<std::string>& words, unsigned short columns,
                               unsigned short rows) {
    const winsize size{rows, columns, 0, 0};
    process_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (process_ < 0) {
        throw std::runtime_error("cannot make a pseudo-terminal");
    }
    if (process_ == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        unsetenv("NO_COLOR");
        const bool by_shell = !words.empty() && words[0] == "bash";
        setenv("COURSE", COURSE_PROGRAM, 1);
        std::vector<char*> command;
        if (!by_shell) {
            command.push_back(const_cast<char*>(COURSE_PROGRAM));
        }
        for (const std::string& word : words) {
            command.push_back(const_cast<char*>(word.c_str()));
        }
        command.push_back(nullptr);
        execvp(command[0], command.data());
        _exit(127);
    }
}

PseudoTerminal::~PseudoTerminal() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    close(terminal_);
}

void PseudoTerminal::read_for(std::chrono::milliseconds time) {
    pollfd readable{terminal_, POLLIN, 0};
    if (poll(&readable, 1, static_cast<int>(time.count())) > 0) {
        std::array<char, 65536> chunk{};
        const ssize_t got = read(terminal_, chunk.data(), chunk.size());
        written_.append(chunk.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
        if (got <= 0) {
            poll(nullptr, 0, 10); // the program has closed it
        }
    }
}

void PseudoTerminal::press(const std::string& keys) {
    if (write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) {
        throw std::runtime_error("the terminal takes no keys");
    }
}

void PseudoTerminal::resize(unsigned short columns, unsigned short rows) {
    const winsize size{rows, columns, 0, 0};
    ioctl(terminal_, TIOCSWINSZ, &size);
}

void PseudoTerminal::signal(int number) {
    kill(process_, number);
}

std::size_t PseudoTerminal::complete() const {
    const std::size_t home = written_.rfind(drawing_starts);
    const bool is_whole =
        home == std::string::npos || written_.find(drawing_ends, home) != std::string::npos;
    return is_whole ? written_.size() : home;
}

std::size_t PseudoTerminal::last_drawing() const {
    const std::size_t end = complete();
    const std::size_t home = end == 0 ? std::string::npos : written_.rfind(drawing_starts, end - 1);
    return home == std::string::npos ? 0 : home;
}

std::string PseudoTerminal::plain_from(std::size_t start) const {
    static const std::regex escapes("\x1b\\[[0-9;?]*[A-Za-z]");
    return std::regex_replace(written_.substr(start, complete() - start), escapes, "");
}

std::string PseudoTerminal::screen() const {
    return plain_from(last_drawing());
}

bool PseudoTerminal::shows(const std::string& text) {
    const auto deadline = Clock::now() + patience;
    const std::size_t start = last_drawing(); // one read may have two: none is skipped
    while (plain_from(start).find(text) == std::string::npos) {
        if (Clock::now() > deadline) {
            return false;
        }
        read_for(std::chrono::milliseconds(100));
    }
    std::size_t size = 0;
    while (size != written_.size()) { // its next drawing, such as a growing text
        size = written_.size();
        read_for(std::chrono::milliseconds(50));
    }
    return true;
}

bool PseudoTerminal::draws() {
    const auto deadline = Clock::now() + patience;
    const std::size_t last = written_.rfind(drawing_ends);
    while (written_.rfind(drawing_ends) == last) {
        if (Clock::now() > deadline) {
            return false;
        }
        read_for(std::chrono::milliseconds(100));
    }
    return true;
}

int PseudoTerminal::wait() {
    const auto deadline = Clock::now() + patience;
    int status = 0;
    while (waitpid(process_, &status, WNOHANG) == 0) {
        if (Clock::now() > deadline) {
            return -1;
        }
        read_for(std::chrono::milliseconds(20));
    }
    process_ = -1;
    read_for(std::chrono::milliseconds(0));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool PseudoTerminal::is_restored() const {
    termios modes{};
    return tcgetattr(terminal_, &modes) == 0 && (modes.c_lflag & ICANON) != 0 &&
           (modes.c_lflag & ECHO) != 0;
}
