#pragma once

// The tests that rows of the table of looks are made with.

#include "judge/looks_table.hpp"

namespace judge {

bool all_pairs(const Pairs& pairs, const std::function<bool(const Pair&)>& holds);

/// Whether a number is not the expected one, but for rounding.
bool is_off(double yours, double expected);

// Elements, one by one.

LookTest each_element(std::function<double(double)> of);
/// What the largest finite element of an answer shows.
std::optional<double> factor_of(const Pair& pair);
std::optional<double> difference_of(const Pair& pair);
std::optional<Grid> times_its_factor(const Pair& pair);
/// The largest of the small elements that have become 0; 0 where a large one has.
double largest_lost(const Pairs& wrong);
std::optional<Grid> zero_as_yours(const Pair& pair);

// Places: along the rows, the columns, or the first axis.

/// The right numbers in other places. from: where the number at a place comes from; resize: how
/// many rows, columns and matrices there are. Either may be nullptr.
LookTest moved(void (*from)(Place&), void (*resize)(Place&));

/// Right outside of a part of the array: in it 0, or whatever yours is. least: how much of the part
/// has to be wrong for that to say something.
using Part = std::function<bool(const Place&)>;
std::optional<Grid> wrong_inside(const Pair& pair, const Part& part, bool zero, double least);

/// An axis of an answer.
struct Axis {
    const char* lines; // what lies along it
    std::size_t (*position)(const Place&);
    std::size_t (*count)(const Place&);
};
/// From the last to the first.
std::vector<Axis> axes_of(const Pairs& wrong);
/// As many along the axis as a size of the arguments says are right, those after them 0, or wrong.
LookTest only_as_many_as(Axis axis, std::size_t number, const std::string& size, bool zero);
/// The remainder along the axis after the whole blocks is 0, where there are so many.
LookTest zero_past_whole_blocks(Axis axis, std::size_t block, std::size_t from);
/// The first position along the axis at which an answer is wrong.
std::size_t first_wrong(Axis axis, const Pairs& wrong);

/// All matrices along the first axis added up: in their place, or instead of each.
std::optional<Grid> first_axis_added_up(const Pair& pair);
std::optional<Grid> row_before_once_more(const Pair& pair);

// Lines (rows, columns or matrices), one by one.

/// change: of the right numbers in a line it makes yours; false where there is no telling.
using Change = bool (*)(std::vector<double>& line, const std::vector<double>& yours);
LookTest each_line(Lines kind, Change change);
bool to_running_sums(std::vector<double>& line, const std::vector<double>& yours);
bool to_softmax(std::vector<double>& line, const std::vector<double>& yours);
bool to_length_one(std::vector<double>& line, const std::vector<double>& yours);
bool to_sum_one(std::vector<double>& line, const std::vector<double>& yours);
bool times_a_factor(std::vector<double>& line, const std::vector<double>& yours);
bool times_a_little_less(std::vector<double>& line, const std::vector<double>& yours);
bool plus_a_number(std::vector<double>& line, const std::vector<double>& yours);

/// Each of the right numbers once (all), or else only such numbers or 0; and at least so many
/// different ones not where they should be.
LookTest right_numbers(bool all, std::size_t least_different);

} // namespace judge
