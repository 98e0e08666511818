#pragma once

#include <string>
#include <vector>

/// Defined by a lesson's walkthrough.cpp: runs the idea step by step on the lesson's functions.
/// options: from the command line.
void walkthrough(const std::vector<std::string>& options);

/// For a walk-through that has no options.
void expect_no_options(const std::vector<std::string>& options);

/// For a walk-through that has options and got one that is wrong: ends with the text on stderr and
/// exit status 2.
[[noreturn]] void refuse_options(const std::string& text);

/// Begins a section of the walk-through.
void heading(const std::string& text);

/// A question that can be answered from what was shown so far. In a terminal the walk-through waits
/// here for Space; into a pipe, or with --no-stops, it goes on at once.
void ask(const std::string& question);
