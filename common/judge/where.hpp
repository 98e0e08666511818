#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "judge/session.hpp"

namespace judge {

/// A line of the exercise's file in which a call ends.
struct SourceLine {
    std::string file; // its name
    std::size_t line = 0;
    std::string text; // the line, without its indentation
};

/// The line in which a call throws or crashes, or that it has reached after a second. The call is
/// repeated in a new process, whose frames addr2line finds in the program's line numbers. Nothing
/// if that fails: no addr2line, no line numbers, none in a file with the source's name, or a call
/// that ends differently this time. source: the exercise's file; no other file is read.
std::optional<SourceLine> where_it_ends(const Session& session, const RecordedCall& call,
                                        const std::filesystem::path& source);

/// "line 14 of 1_project.cpp:  sum += X(i, k);"
std::string place_text(const SourceLine& place);

} // namespace judge
