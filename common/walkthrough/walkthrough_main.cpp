// The main of every walk-through. Exit status: 0 done, 1 an exercise is missing or failed, 2 bad
// use.

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <streambuf>
#include <utility>

#include <termios.h>
#include <unistd.h>

#include "judge/todo.hpp"
#include "show/show.hpp"
#include "show/text.hpp"
#include "walkthrough/walkthrough.hpp"

namespace {

/// Thrown for an option, because an exercise may throw std::invalid_argument too.
struct BadOption : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The path from lessons/ on, as a learner types it.
std::string short_path(const std::string& file) {
    const std::size_t lessons = file.rfind("lessons/");
    return lessons == std::string::npos ? file : file.substr(lessons);
}

bool stops = true;

/// The next key, read at once and not shown.
char read_key() {
    termios before{};
    tcgetattr(STDIN_FILENO, &before);
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    char key = 'q';
    const bool read_one = read(STDIN_FILENO, &key, 1) == 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return read_one ? key : 'q';
}

/// Breaks lines that are wider than the terminal at spaces; the rest of a line goes to the next if
/// the sentence does.
class Wrapped : public std::streambuf {
public:
    explicit Wrapped(std::streambuf* to) : to_(to) {}

private:
    int overflow(int character) override {
        if (character == '\n') {
            end_line();
        } else {
            line_ += static_cast<char>(character);
        }
        return character;
    }

    int sync() override {
        put(std::exchange(rest_, "") + std::exchange(line_, ""));
        return to_->pubsync();
    }

    void end_line() {
        std::string line = std::exchange(line_, "");
        std::string rest = std::exchange(rest_, "");
        if (!rest.empty() && !line.empty() && line[0] != ' ') {
            rest.back() = ' ';
            line.insert(0, std::exchange(rest, ""));
        }
        put(rest);
        const std::size_t width = show::terminal().width;
        const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
        if (show::display_width(line) <= width || margin > width / 2) {
            put(line + "\n");
            return;
        }
        for (const std::string& part :
             show::wrap(line.substr(margin), line.substr(0, margin), width - margin)) {
            put(std::exchange(rest_, part + "\n"));
        }
        if (margin > 0 || std::string_view(".:?!").find(line.back()) != std::string_view::npos) {
            put(std::exchange(rest_, ""));
        }
    }

    void put(const std::string& text) {
        to_->sputn(text.data(), static_cast<std::streamsize>(text.size()));
    }

    std::streambuf* to_;
    std::string line_; // without its end
    std::string rest_; // the last part of a broken line, with its end
};

} // namespace

void heading(const std::string& text) {
    std::cout << "\n" << show::bold(text) << "\n\n";
}

void ask(const std::string& question) {
    std::cout << "\n? " << question << "\n";
    if (stops) {
        std::cout << "  Think, then press Space to continue, or q to quit." << std::flush;
        char key = 0;
        while (key != ' ' && key != '\n') {
            key = read_key();
            if (std::string_view("q\x03\x04").find(key) != std::string_view::npos) { // Ctrl-C, -D
                std::cout << "\n" << std::flush;
                std::exit(130);
            }
        }
        std::cout << "\n";
    }
    std::cout << "\n";
}

void expect_no_options(const std::vector<std::string>& options) {
    if (!options.empty()) {
        throw BadOption("this walk-through has no options, got " + options.front());
    }
}

void refuse_options(const std::string& text) {
    throw BadOption(text);
}

bool set_number(const std::vector<NumberOption>& known, const std::vector<std::string>& words,
                std::size_t i) {
    const auto option = std::find_if(known.begin(), known.end(),
                                     [&](const NumberOption& o) { return o.name == words[i]; });
    if (option == known.end()) {
        return false;
    }
    const std::string text = i + 1 < words.size() ? words[i + 1] : "nothing";
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, option->value);
    if (error != std::errc() || stop != end || option->value < option->least ||
        option->value > option->most) {
        refuse_options(option->name + " takes a whole number from " +
                       std::to_string(option->least) + " to " + std::to_string(option->most) +
                       ", got " + text);
    }
    return true;
}

std::string number(double value, std::size_t digits) {
    return show::number(value, digits, show::terminal());
}

std::string with_decimals(double value, std::size_t decimals) {
    return show::number(value, show::NumberFormat{.decimals = decimals}, show::terminal());
}

int main(int argc, char** argv) {
    const bool on_terminal = isatty(STDOUT_FILENO) != 0;
    if (on_terminal) {
        std::cout.rdbuf(new Wrapped(std::cout.rdbuf())); // lives as long as std::cout
    }
    try {
        std::vector<std::string> options{argv + 1, argv + argc};
        stops = std::erase(options, "--no-stops") == 0 && on_terminal && isatty(STDIN_FILENO) != 0;
        const bool help =
            !options.empty() && (options.front() == "--help" || options.front() == "-h");
        try {
            walkthrough(help ? std::vector<std::string>{"--help"} : options);
        } catch (const BadOption& error) {
            if (!help) {
                throw;
            }
            const std::string text = error.what(); // names the options, and then what it got
            std::cout
                << "Walks through the lesson step by step, and waits for Space at each question (--no-stops: goes on): "
                << text.substr(0, text.rfind(", got ")) << ".\n";
        }
        std::cout << (stops && !help ? "\nThis is the end of the walk-through.\n" : "")
                  << std::flush;
        if (!std::cout) {
            throw BadOption("the output could not be written");
        }
        return 0;
    } catch (const judge::not_implemented& missing) {
        const judge::TodoPlace& place = missing.place();
        std::cout << std::flush;
        std::cerr << "\nHere the walk-through needs " << place.exercise
                  << ", which is not written yet.\nWrite " << place.function << " in "
                  << short_path(place.file) << ",\nthen run this again.\n";
        return 1;
    } catch (const BadOption& error) {
        std::cerr << "course: " << error.what() << "\n";
        return 2;
    } catch (const std::exception& error) {
        std::cout << std::flush;
        const bool of_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
        std::cerr << "\nHere the walk-through "
                  << (of_memory ? "ran out of memory" : "ended with an exception") << ": "
                  << error.what() << "\n";
        return 1;
    }
}
