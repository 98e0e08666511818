#pragma once

#include <string>

#include "course/explain/compile_error.hpp"

/// Compiles text as an exercise is compiled, by the build's own command, and explains the
/// compiler's messages. Its header is "numbers.hpp" (see toolchain.cpp).
course::CompileError compile(const std::string& source);

/// The same after linking it into a program that calls `doubled`, and contains `added` and
/// `halved`.
course::CompileError compile_and_link(const std::string& source);

/// A file that includes the header, then code, in the lesson's namespace.
std::string exercise_file(const std::string& code, const std::string& includes = "");

/// The line with "// here"; 0 if there is none.
std::size_t marked_line(const std::string& source);
