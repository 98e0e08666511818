// The main of every walk-through. Exit status: 0 done, 1 an exercise is missing or failed, 2 bad
// use.

#include <exception>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

#include "judge/todo.hpp"
#include "judge/walkthrough.hpp"
#include "show/show.hpp"

namespace {

/// Thrown for an option: std::invalid_argument may as well come out of an exercise.
struct BadOption : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The path from lessons/ on, which is what a learner can type.
std::string short_path(const std::string& file) {
    const std::size_t lessons = file.rfind("lessons/");
    return lessons == std::string::npos ? file : file.substr(lessons);
}

bool stops = true;

} // namespace

void heading(const std::string& text) {
    std::cout << "\n" << show::bold(text) << "\n\n";
}

void ask(const std::string& question) {
    std::cout << "\n? " << question << "\n";
    if (stops && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {
        std::cout << "  Think, then press Enter. " << std::flush;
        std::string line;
        std::getline(std::cin, line);
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

int main(int argc, char** argv) {
    try {
        std::vector<std::string> options{argv + 1, argv + argc};
        stops = std::erase(options, "--no-stops") == 0;
        const bool help =
            !options.empty() && (options.front() == "--help" || options.front() == "-h");
        try {
            walkthrough(help ? std::vector<std::string>{"--help"} : options);
        } catch (const BadOption& error) {
            if (!help) {
                throw;
            }
            const std::string text = error.what(); // names what there is, and then what it got
            std::cout
                << "Walks through the lesson step by step, and waits for Enter at each question (--no-stops: goes on): "
                << text.substr(0, text.rfind(", got ")) << ".\n";
        }
        std::cout << std::flush;
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
