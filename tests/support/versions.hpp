#pragma once

// Other versions of a solution, many in one source file: each in its own namespace, and registered
// as a variant of the functions that it defines.

#include <string>
#include <vector>

namespace versions {

struct Version {
    std::string name;
    std::string explanation;         // "a decoy" for one without a name
    std::string source;              // the whole file, changed
    std::string from = "";           // "#line …": where it was written
    std::vector<Version> parts = {}; // functions: in each of them, `source` calls another as PART
};

/// Shared by the versions of one exercise.
struct Exercise {
    std::vector<std::string> functions;
    std::string contract; // the text of the lesson's header
    std::string exports;  // the text of exports.hpp
};

struct Source {
    std::string text;
    std::vector<std::size_t> version_of_line; // from line 1; counted from 1, 0 where there is none
};

/// Versions whose number, counted from 1, is in `left_out` are skipped.
Source source_of(const std::vector<Version>& all, const Exercise& exercise,
                 const std::vector<std::size_t>& left_out = {});

} // namespace versions
