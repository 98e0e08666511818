#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/grid.hpp"

namespace judge {

/// A wrong answer beside the right one.
struct Pair {
    Grid got;
    Grid expected;
    std::vector<std::pair<std::string, double>> sizes = {}; // what the arguments' sizes are called
};

/// A way in which answers may look wrong. turned: the answer that a right one becomes; nothing
/// where there is no telling.
struct Turn {
    std::string name;
    std::string explanation;
    std::function<std::optional<Grid>(const Pair&)> turned;
    bool exact = false;  // made of the right answer alone, and so of one mistake where all fit
    bool always = false; // says something of every answer: one that does not fit is one too many
};

/// Ways that hold for each element by itself, found from some wrong answers: a sign, a factor, a
/// power, a few decimals.
std::vector<Turn> turns_of_elements(const std::vector<Pair>& wrong);

/// Ways that have to do with places: transposed, a row missing, all right but the diagonal. Those
/// that say more come first.
std::vector<Turn> turns_of_places(const std::vector<Pair>& wrong);

/// Of those: rows or columns in another order, or some of them alone, in a matrix or a vector.
std::vector<Turn> turns_of_order(bool matrix);

/// A part of the array is 0; a part is wrong, and the rest right; little is right.
std::vector<Turn> turns_of_zeros(const std::vector<Pair>& wrong);
std::vector<Turn> turns_of_parts(const std::vector<Pair>& wrong);
std::vector<Turn> turns_of_most(const std::vector<Pair>& wrong);

/// A row that is wrong is the one before it.
Turn turn_of_a_row_twice();

/// The right numbers, but not each in its place; or some of them.
std::vector<Turn> turns_of_other_places();

/// What decides the shape of answers that have the wrong one: "the number of columns of the result
/// is the number of columns of X, where it should be …".
std::optional<Turn> turn_of_shapes(const std::vector<Pair>& wrong);

/// Large elements are right, and only some that are tiny beside them are not.
std::optional<Turn> turn_of_tiny_ones(const std::vector<Pair>& wrong);

/// The same where the large ones are right to some digits only.
std::optional<Turn> turn_of_tiny_beside_nearly_right(const std::vector<Pair>& wrong);

/// Every element is right to some digits, and many to no more, whatever costs the others.
std::optional<Turn> turn_of_digits(const std::vector<Pair>& wrong);

/// The last resort: numbers that only an accident makes, NaN and what was never set.
std::vector<Turn> turns_of_accidents();

} // namespace judge
