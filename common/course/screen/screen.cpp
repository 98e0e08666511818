#include "course/screen/screen.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "process/pipe.hpp"
#include "show/text.hpp"

namespace course {

namespace {

// The other screen, without a cursor; and back.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view leave = "\x1b[?25h\x1b[?1049l";

constexpr std::array taken{SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH};

// What a signal handler may need is global.
termios before{};                   // the terminal's modes as they were
volatile sig_atomic_t on = 0;       // whether the screen is ours now
std::optional<process::Pipe> noted; // the signals that came, a byte each

void put(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            return; // nobody is there to see it
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
}

void restore() {
    if (on != 0) {
        on = 0;
        put(leave);
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    }
}

void note(int signal) {
    const int error = errno;
    const auto byte = static_cast<char>(signal);
    [[maybe_unused]] const ssize_t written = write(noted->write_end.number(), &byte, 1);
    errno = error;
}

} // namespace

Screen::Screen() {
    if (tcgetattr(STDIN_FILENO, &before) != 0 || isatty(STDOUT_FILENO) == 0) {
        throw std::runtime_error("standard input or output is not a terminal");
    }
    noted.emplace();
    noted->read_end.do_not_wait();
    noted->write_end.do_not_wait();
    for (const int signal : taken) {
        std::signal(signal, note);
    }
    resume();
}

Screen::~Screen() {
    suspend();
    for (const int signal : taken) {
        std::signal(signal, SIG_DFL);
    }
    noted.reset();
}

void Screen::take_single_keys() {
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void Screen::resume() {
    take_single_keys();
    on = 1;
    std::signal(SIGTSTP, note);
    put(enter);
}

void Screen::suspend() {
    restore();
    std::signal(SIGTSTP, SIG_DFL);
}

void Screen::wait_for_key() {
    take_single_keys();
    std::array<pollfd, 2> events{{{STDIN_FILENO, POLLIN, 0}, {signals(), POLLIN, 0}}};
    poll(events.data(), events.size(), -1);
    keys();
}

Size Screen::size() const {
    winsize window{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 ||
        window.ws_row == 0) {
        return {};
    }
    return {window.ws_col, window.ws_row};
}

void Screen::draw(const std::vector<std::string>& lines) {
    std::string text = "\x1b[H";
    const std::size_t rows = size().rows;
    for (std::size_t i = 0; i < lines.size() && i < rows; ++i) {
        text += (i > 0 ? "\r\n" : "") + lines[i] + "\x1b[K";
    }
    put(text + "\x1b[J");
}

std::vector<int> Screen::keys() {
    std::array<char, 256> bytes{};
    const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        return {key_end_of_input};
    }
    std::vector<int> keys;
    std::string_view left(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    constexpr std::array<std::pair<std::string_view, int>, 13> sequences{
        {{"\x1b[A", key_up},
         {"\x1bOA", key_up},
         {"\x1b[B", key_down},
         {"\x1bOB", key_down},
         {"\r", key_enter},
         {"\x1b[5~", key_page_up},
         {"\x1b[6~", key_page_down},
         {"\x1b[H", key_home},
         {"\x1bOH", key_home},
         {"\x1b[1~", key_home},
         {"\x1b[F", key_end},
         {"\x1bOF", key_end},
         {"\x1b[4~", key_end}}};
    while (!left.empty()) {
        std::size_t length = 1;
        int key = static_cast<unsigned char>(left[0]);
        for (const auto& [sequence, meant] : sequences) {
            if (left.starts_with(sequence)) {
                length = sequence.size();
                key = meant;
            }
        }
        if (length == 1 && left.starts_with("\x1b[")) { // its last character is a letter or a ~
            const std::size_t last = left.find_first_not_of("0123456789;", 2);
            length = std::min(last, left.size() - 1) + 1;
            key = key_of_no_use;
        }
        left.remove_prefix(length);
        keys.push_back(key);
    }
    return keys;
}

int Screen::signals() const {
    return noted->read_end.number();
}

int Screen::next_signal() {
    char byte = 0;
    return read(noted->read_end.number(), &byte, 1) == 1 ? byte : 0;
}

void Screen::stop_until_continued() {
    suspend();
    raise(SIGTSTP);
    resume();
}

std::string clipped(const std::string& line, std::size_t width) {
    if (show::display_width(line) <= width) {
        return line;
    }
    std::string result;
    std::size_t taken_columns = 0;
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] == '\x1b') { // a colour takes no room
            const std::size_t end = line.find('m', i);
            result += line.substr(i, end - i + 1);
            i = end == std::string::npos ? line.size() : end + 1;
            continue;
        }
        const std::vector<std::string> rest = show::characters(
            std::string_view(line).substr(i, std::min(line.find('\x1b', i), line.size()) - i));
        for (const std::string& character : rest) {
            const std::size_t columns = show::display_width(character);
            if (taken_columns + columns < width) {
                result += character;
                taken_columns += columns;
            } else if (taken_columns < width) {
                result += "…";
                taken_columns = width;
            }
            i += character.size();
        }
    }
    return result;
}

} // namespace course
