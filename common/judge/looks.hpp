#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/session.hpp"

namespace judge {

/// The sizes of arguments, with their names: {"the number of rows of X", 3}.
using Sizes = std::vector<std::pair<std::string, double>>;
/// What an axis counts: "the number of rows".
std::string axis_name(std::size_t rank, std::size_t axis);
Sizes sizes_of(const std::vector<std::string>& parameters, const List& arguments);

/// A call, with the outcome that it should have had.
struct JudgedCall : RecordedCall {
    Outcome right;
    bool is_right = false; // the value that it returned

    const Value* actual() const { return value_in(outcome); }
    const Value& expected() const { return std::get<Returned>(right).value; }
};

/// The right answer for other arguments; nothing if it fails.
using Reference = std::function<std::optional<Value>(const List& arguments)>;

/// What the wrong answers to calls that should return have in common, according to a row of the
/// table (looks_table.hpp) or a row about the arguments. Such a sentence
/// is about the numbers, not a guess about the code. Nothing if it fits less than three quarters of
/// the answers. reference may be empty: then nothing is said about other arguments.
std::optional<Explanation> look_of(const std::vector<JudgedCall>& calls,
                                   const Reference& reference);

/// A description of the wrong answers of the failing call's function, or of its failures; for a
/// random function, of its failures alone. right: what each of the session's calls should return.
/// program: answers as the reference.
std::optional<Explanation> describe_answers(const Session& session,
                                            const std::vector<Outcome>& right, std::size_t failing,
                                            Child& program);

} // namespace judge
