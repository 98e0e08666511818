#pragma once

#include <string>

#include "course/lessons.hpp"

namespace course {

/// The first thing a compiler or linker found wrong with an exercise.
struct CompileError {
    std::size_t line = 0; // in the exercise's file; 0 where there is none, as for the linker
    std::string message;  // the compiler's own
    std::string source;   // that line, if there is one
    std::string advice;   // in plain words, or "" for an unknown mistake
};

/// Reads what g++ or clang, or the linker, printed about an exercise. contract: the text of its
/// lesson's header; source: the text of the exercise's file.
CompileError explain_compile_error(const std::string& log, const Exercise& exercise,
                                   const std::string& contract, const std::string& source);

} // namespace course
