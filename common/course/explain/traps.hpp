#pragma once

#include <string>
#include <vector>

namespace course {

/// A place in an exercise's source that compiles and may not do what it says, for reasons that lie
/// in C++ or xtensor and not in attention, and how it reads without the trap: with text around it.
/// A trap is a suspicion. It is worth reporting only if the corrected source gives better answers.
///   - a reduction with keep_dims, unevaluated inside a larger expression: wrong numbers
///   - auto, or a function that returns auto, with a lazy expression: it refers to what is gone
///   - Vector w({n}): one element, n
///   - Vector row = xt::row(out, i), which is changed then: a copy; out[!mask] = value: an index
///   - j < n - 4 in a loop's condition: no end where n is less than 4
struct Trap {
    std::size_t begin; // in the source
    std::size_t end;
    std::string before;
    std::string after;
    std::string text; // what to say
};

/// The traps of a source, in its order; none of one that is longer than any exercise.
std::vector<Trap> find_traps(const std::string& source);

/// Those of the copied row and of the index made of bools; the mended source has xt::where.
std::vector<Trap> find_array_traps(const std::string& source);

/// The source without those traps.
std::string mended(std::string source, const std::vector<Trap>& traps);

/// What the compiler's warnings about the exercise's file say of its answers. certain: a function
/// that ends without a return; otherwise a line to look at. No text where they are about style
/// alone.
struct Warned {
    std::string text = {};
    bool certain = false;
};
Warned explain_warnings(const std::string& warnings, const std::string& file);

} // namespace course
