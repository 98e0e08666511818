#pragma once

#include <map>
#include <string>
#include <vector>

#include "course/explain/diagnostic.hpp"

namespace course {

/// A real message that a row is for.
struct AdviceExample {
    std::string by; // g++, clang, or "" where it is no compiler's
    std::string says;
    std::string source; // the line it is about, with those above that the row asks for
};

/// What learners get wrong with C++ and xtensor, by what is said about it: a row of advice.json,
/// whose keys are the members. Patterns are those of pattern.hpp. Of several rows that fit the
/// first counts.
struct AdviceRow {
    std::vector<std::string> when; // one of these is in the message
    std::vector<std::string> line; // and one of these in the line of source it is about
    std::vector<std::string> near; // and one of these there, or in the three lines above
    std::string ends;              // and that line, or the one above, ends with this: there it is
    bool above = false; // what is missing before the first word of a line is missing above it
    std::map<std::string, std::string> names; // $1 is one of these, and $2 what stands beside it
    std::string say;
    std::vector<AdviceExample> examples;
};

struct Advice {
    std::string text;     // "" for a mistake that we do not know
    std::size_t line = 0; // where it is: the diagnostic's own line, or one above
};

/// The rows for what a compiler says, and for how a program ends; in order: the first that fits
/// counts.
const std::vector<AdviceRow>& compiler_advice();
const std::vector<AdviceRow>& runtime_advice();

/// What to say about a compiler's first error in the learner's source.
Advice advice_on(const Diagnostic& error, const std::string& source);

/// What to say about a text in which it stands how an exercise ended, and what it printed; "" if
/// nothing.
std::string advice_on_outcome(const std::string& text);

} // namespace course
