#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

/// Whether the program under test keeps its exercise files and its state in the build folder. Where
/// it works on a learner's files, its tests are skipped: they would write there.
bool has_own_files();

#define PROGRAM_TEST_CASE(name) TEST_CASE(name* doctest::skip(!has_own_files()))
/// A test that takes seconds: only in ./course test --all.
#define LONG_PROGRAM_TEST_CASE(name)                                                               \
    TEST_CASE(name* doctest::skip(COURSE_BRIEF || !has_own_files()))

struct Ended {
    int status;
    std::string out;
    std::string err; // without the line that names whom it waited for
    bool waited;     // whether there was that line
};

/// Runs ./course with these words: no terminal, nothing to read.
Ended course_program(const std::vector<std::string>& words);

/// The same with standard output going elsewhere, as in "/dev/full".
Ended course_program_into(const std::string& device, const std::vector<std::string>& words);

/// Every exercise's file a fresh stub, and no state.
void start_afresh();

std::filesystem::path state();

/// The file of an exercise of lesson 01, by its number, and its text as shipped and as solved.
std::filesystem::path file_of(int exercise);
std::string stub_of(int exercise);
std::string solution_of(int exercise);
void write_exercise(int exercise, const std::string& text);

/// Exercise 01.1 or 01.2 with this body.
std::string project_with(const std::string& body);
std::string compute_qkv_with(const std::string& body);

/// Checks that a command was refused: status 2, nothing on standard output, and one line on
/// standard error, "course: " and the text.
void check_refused(const Ended& ended, const std::string& text);

bool contains(const std::string& text, const std::string& part);
std::size_t count(const std::string& text, const std::string& part);
