#pragma once

// The functions of the submission `hostile`: a few that behave, and every way we know not to.

#include <cstdint>
#include <string>
#include <vector>

#include "judge_values.hpp"

namespace lesson {

using attention::Matrix;
using attention::Vector;

// hostile.cpp: these behave.
double add(double a, double b);
Matrix echo(const Matrix& X);
Sample describe_sample(const Matrix& X, const std::string& label);
Matrix product(const Matrix& X, const Matrix& W); // throws std::invalid_argument, with both shapes
void check_product(const Matrix& X, const Matrix& W);
void nothing();
double print(const std::string& text); // on standard output and error, through every library
int process_id();

// hostile_memory.cpp: what depends on more than its arguments, or changes them.
Matrix doubled(const Matrix& X); // its variants do
Matrix changes_its_argument(const Matrix& X, bool and_throws);
double changes_its_copy(Matrix X);
double half_written(double a); // for a < 0 still to be written

// hostile_endings.cpp: ways to end a call, or not to.
double unwritten(const Matrix& X);
double throws(const std::string& what); // "int", "custom", … or the text of an invalid_argument
double loops(bool ignoring_signals);
double crashes(const std::string& how);
double exits(const std::string& how);
std::uint64_t allocates(std::uint64_t bytes, bool touching);
Matrix huge_answer(std::uint64_t rows);
double stops_itself();

// hostile_pipes.cpp: ways to disturb the conversation.
double prints(std::uint64_t megabytes);
double closes(int first_descriptor, int last_descriptor);
std::vector<int> open_descriptors();

// hostile_processes.cpp: ways to outlive the call. Each prints the ids of what it started.
double leaves_a_process(const std::string& how, bool and_exits);
int leaves_its_folder_full();

// hostile_reaching.cpp: ways to reach beyond its own process. The error number that it gets for it.
int reaches_out(const std::string& how, const std::string& path);
int fills_its_folder(const std::string& how);
/// What an honest exercise may do, each with whether it works; and a text of the environment.
std::vector<int> works_honestly();
std::string environment(const std::string& name);

} // namespace lesson
