#pragma once

// What a grader says about the answers that it gets. Each failing check records what the learner
// will read, and ends its test case.

#include <string>
#include <vector>

#include "judge/session.hpp"

namespace judge {

void expect_close_values(const Value& actual, const Value& expected, Tolerance tolerance);

/// The answer of the last call is expected, element by element; shapes are compared first.
/// The tolerances are in compare.hpp:
///   expect_close(graded::project(X, W), expected, judge::sums_in_double);
/// An answer that is right only to the digits of a float then fails, and is described so.
template <class T>
void expect_close(const T& actual, const T& expected, Tolerance tolerance = exact) {
    expect_close_values(to_value(actual), to_value(expected), tolerance);
}

/// Has this answer drawn beside this expected one, in place of the first that is compared.
template <class T>
void draw(const T& actual, const T& expected) {
    session().set_example(to_value(actual), to_value(expected));
}

/// A property of the last answer. rule: what should be true ("each row sums to 1"). found: what is
/// true ("row 2 sums to 1.31").
void expect_that(bool holds, const std::string& rule, const std::string& found,
                 const Explanation& suspicion = {});

/// The shape of an array as the numbers in it.
template <class T>
std::vector<std::size_t> sizes(const T& array) {
    return {array.shape().begin(), array.shape().end()};
}

/// The answer of the last call has this shape; for a property that is about to index it.
void expect_shape(const std::vector<std::size_t>& actual, const std::vector<std::size_t>& expected);

/// The outcome is a std::invalid_argument, with any text. what: the argument that is wrong, as in
/// "d_k = 0".
void expect_refused(const Outcome& outcome, const std::string& what);

/// Whether every size is in the text, in any order and any words, and not the shape turned around,
/// as "(3, 2)" or "3x2" would be of (2, 3).
bool names_shape(const std::string& text, const std::vector<std::size_t>& shape);

/// The outcome is a std::invalid_argument whose text names each of the shapes:
///   expect_invalid_argument(graded::project.attempt(X, W), {sizes(X), sizes(W)});
void expect_invalid_argument(const Outcome& outcome,
                             const std::vector<std::vector<std::size_t>>& shapes);

} // namespace judge
