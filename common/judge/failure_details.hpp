#pragma once

#include <string>

#include "judge/session.hpp"
#include "judge/text.hpp"
#include "judge/verdict.hpp"

namespace judge {

/// The failing call with its arguments, small ones in full, and the answer beside the expected one.
Block details_of(const Failure& failure);

/// The failing call as JSON, {"function", "parameters": [names], "arguments"}, for a figure; "" if
/// an argument is large. value_json.hpp says how values are written.
std::string call_of(const Failure& failure);

/// And above them the line in which the call ends, if it throws, crashes or runs too long: the call
/// is repeated for that, after the session has been closed. source: the exercise's file, "" if its
/// lines must not be shown.
Block with_place(Block details, const Failure& failure, State state, const std::string& source);

/// The numbers of a value for a drawing: the rows of a matrix of at most 1,024 numbers, the first
/// weights of a batch, or a curve's x and y; otherwise nothing.
std::vector<std::vector<double>> rows_of(const Value& value);

} // namespace judge
