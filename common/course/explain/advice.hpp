#pragma once

#include <map>
#include <string>
#include <vector>

#include "course/explain/diagnostic.hpp"

namespace course {

/// A real message that a row is written for.
struct AdviceExample {
    std::string by; // g++, clang, or "" for a message that is not a compiler's
    std::string says;
    std::string source; // its line, and the lines above that the row needs
};

/// What learners get wrong with C++ and xtensor, by the message about it: a row of advice.json,
/// whose keys are the members. Patterns are those of pattern.hpp. The first row that fits counts.
struct AdviceRow {
    std::vector<std::string> when; // one of these is in the message
    std::vector<std::string> line; // and one of these in its line of source
    std::vector<std::string> near; // and one of these there, or in the three lines above
    std::string ends;   // and that line, or the one above, ends with this; the error is there
    bool above = false; // if the error is at a line's first word, the mistake is above that line
    std::map<std::string, std::string> names; // $1 is one of these keys, and $2 its value
    std::string say;
    std::vector<AdviceExample> examples;
};

struct Advice {
    std::string text;     // "" for an unknown mistake
    std::size_t line = 0; // of the mistake: the diagnostic's own, or one above
};

/// The rows for a compiler's messages, and for the ways in which a program ends.
const std::vector<AdviceRow>& compiler_advice();
const std::vector<AdviceRow>& runtime_advice();

/// The advice on a compiler's first error in the learner's source.
Advice advice_on(const Diagnostic& error, const std::string& source);

/// The advice on a text that says how an exercise ended, and what it printed; "" if there is none.
std::string advice_on_outcome(const std::string& text);

} // namespace course
