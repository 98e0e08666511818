#pragma once

#include <string>
#include <vector>

namespace course {

/// A place in an exercise's source that compiles but may not do what it seems to, because of C++ or
/// xtensor, and the text around it that corrects it. A trap is a suspicion, reported only if the
/// corrected source gives better answers.
///   - a reduction with keep_dims, unevaluated inside a larger expression: wrong numbers
///   - auto, or a function that returns auto, with a lazy expression: it refers to destroyed
///   variables
///   - Vector w({n}): one element, n
///   - Vector row = xt::row(out, i), changed afterwards: a copy; out[!mask] = value: an index
///   - j < n - 4 in a loop's condition: endless if n is less than 4
struct Trap {
    std::size_t begin; // in the source
    std::size_t end;
    std::string before;
    std::string after;
    std::string text; // the explanation
};

/// The traps of a source, in its order; none if it is longer than any exercise.
std::vector<Trap> find_traps(const std::string& source);

/// Only copied rows and indices made of bools, which become xt::where.
std::vector<Trap> find_array_traps(const std::string& source);

/// The source without those traps.
std::string corrected(std::string source, const std::vector<Trap>& traps);

/// What the compiler's warnings say about the exercise's answers. certain: a function ends without
/// a return; otherwise a line to look at. No text if they are about style alone.
struct Warned {
    std::string text = {};
    bool certain = false;
};
Warned explain_warnings(const std::string& warnings, const std::string& file);

} // namespace course
