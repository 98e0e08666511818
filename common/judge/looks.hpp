#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/value.hpp"

namespace judge {

/// The sizes that arguments have, with what they are called: {"the number of rows of X", 3}.
using Sizes = std::vector<std::pair<std::string, double>>;
/// What an axis counts: "the number of rows".
std::string axis_name(std::size_t rank, std::size_t axis);
Sizes sizes_of(const std::vector<std::string>& parameters, const List& arguments);

/// A call that should return a value, with what it returned.
struct AnsweredCall {
    std::vector<std::string> parameters; // the names of the arguments
    List arguments;
    std::optional<Value> actual; // nothing where it failed
    Value expected;
    bool right = false;
};

/// What wrong answers look like, whatever they were made of.
struct Look {
    std::string name;
    std::string explanation;
    std::size_t explained = 0; // answers that look like that, or are right where it changes nothing
    std::size_t answers = 0;
    bool certain = false; // all answers are what one mistake makes of the right ones
};

/// What the function should return for other arguments; nothing where it fails.
using Reference = std::function<std::optional<Value>(const List& arguments)>;

/// What the wrong answers have in common, as one row of the table (looks_table.hpp) says it, or a
/// row about the arguments (looks_of_arguments.hpp). Such a sentence is true of the numbers, and no
/// guess at the code. Nothing if less than three quarters of the answers look like it. reference
/// may be empty: then nothing is said about other arguments.
std::optional<Look> look_of(const std::vector<AnsweredCall>& calls, const Reference& reference);

} // namespace judge
