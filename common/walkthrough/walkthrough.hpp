#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

/// Defined by a lesson's walkthrough.cpp: runs the idea step by step on the lesson's functions.
/// options: from the command line.
void walkthrough(const std::vector<std::string>& options);

/// For a walk-through that has no options.
void expect_no_options(const std::vector<std::string>& options);

/// For a walk-through that has options and got one that is wrong: ends with the text on stderr and
/// exit status 2.
[[noreturn]] void refuse_options(const std::string& text);

/// What `call` returns; where it throws std::invalid_argument, refuse_options with its text.
template <class Call>
auto refusing(const Call& call) {
    try {
        return call();
    } catch (const std::invalid_argument& error) {
        refuse_options(error.what());
    }
}

/// An option that takes a whole number.
struct NumberOption {
    std::string name;
    std::size_t& value;
    std::size_t least, most;
};
/// Sets the option that words[i] names from words[i + 1]. Returns whether one has that name.
bool set_number(const std::vector<NumberOption>& known, const std::vector<std::string>& words,
                std::size_t i);

/// A number with so many digits, or so many decimals.
std::string number(double value, std::size_t digits = 4);
std::string with_decimals(double value, std::size_t decimals);

/// Begins a section of the walk-through.
void heading(const std::string& text);

/// A question that can be answered from what was shown so far. In a terminal the walk-through waits
/// here for Space; into a pipe, or with --no-stops, it goes on at once.
void ask(const std::string& question);
