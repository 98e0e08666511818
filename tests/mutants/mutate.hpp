#pragma once

// Mechanical mutants: copies of a solution with one small thing changed, as a slip of the pen
// would.

#include <cstddef>
#include <string>
#include <vector>

struct Mutant {
    std::size_t line;    // of the change in the solution, from 1
    std::string was;     // the text of the lines that changed, its blanks collapsed
    std::string becomes; // and what replaces it
    std::string source;  // the whole file, changed
};

/// Every mutant of a solution; only the part between `// solution` and `// end` is changed:
///   operators    + and −, * and /, <, <=, ==, &&, +=, ++; a minus or a ! left out
///   constants    one more, one less; true and false
///   names        another index, size, number or array of the function; two arguments exchanged
///   functions    min for max, exp and sqrt left out
///   statements   left out; a condition inverted, or never true
std::vector<Mutant> mutate(const std::string& solution);
