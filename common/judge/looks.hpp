#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/value.hpp"

namespace judge {

/// An answer of one function, beside what it should have been.
struct Judged {
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

/// What the function should have answered to other arguments; nothing where it fails.
using Ask = std::function<std::optional<Value>(const List& arguments)>;

/// The sizes that arguments have, with what they are called: "the number of rows of X".
std::vector<std::pair<std::string, double>> sizes_of(const std::vector<std::string>& parameters,
                                                     const List& arguments);

/// What the wrong ones among the answers have in common: all elements are off by one factor, or
/// one sign; the array is transposed; a row is missing, or the only one that is right; it is the
/// right answer to other arguments. Such a sentence is true of the numbers, and no guess at the
/// code. Nothing if less than three quarters of the answers look like it. ask may be empty, where
/// to ask would take too long.
std::optional<Look> look_of(const std::vector<Judged>& answers, const Ask& ask);

} // namespace judge
