#pragma once

// The kinds of numbers, masks and scores that every exercise is tested with.

#include <functional>
#include <vector>

#include "support/domain.hpp"

namespace domain {

/// A number from its row, its column and the number that was there.
using Make = std::function<double(std::size_t, std::size_t, double)>;

/// An ordinary argument: normal numbers of a size that keeps products near 1, weights of a softmax,
/// a mask that blocks a third. Drawn by `seed`; --seed changes them.
judge::Value ordinary(Kind kind, const std::vector<std::size_t>& shape,
                      const std::vector<double>& values, std::uint64_t seed);
judge::Value scalar(Kind kind, double value);

std::size_t count(const judge::Value& value);
/// Makes rows of weights sum to 1 again; rows that do are not changed.
void to_rows_of_shares(judge::Value& weights);
/// Arrays of double become arrays of float: .made_to_fit(domain::in_float).
void in_float(judge::List& arguments);
/// For weights, `make` returns the scores whose softmax they are.
void fill(judge::Value& value, const Make& make, Kind kind);
/// Sets number `at` to this. For weights, the others of the row share the rest of 1.
void set(judge::Value& value, std::size_t at, double number, Kind kind);

std::vector<Make> numbers_of(Kind kind);
std::vector<double> extremes_of(Kind kind);
/// Of rank 2 or more: the last two axes are queries and keys.
std::vector<judge::Value> masks_of(const std::vector<std::size_t>& shape);
std::vector<Make> scores_far_out();

} // namespace domain
