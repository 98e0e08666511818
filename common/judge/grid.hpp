#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/value.hpp"

namespace judge {

/// The numbers of a value, whatever their type: of an array of any rank, a list, or a scalar. Seen
/// as a matrix, whose columns are the last axis.
struct Grid {
    std::vector<std::size_t> shape;
    std::vector<double> numbers;
    bool of_floats = false; // of an array of floats: right to their digits, not a double's

    std::size_t columns() const { return shape.empty() ? 1 : shape.back(); }
    std::size_t rows() const { return columns() == 0 ? 0 : numbers.size() / columns(); }
    double& at(std::size_t row, std::size_t column) { return numbers[row * columns() + column]; }
    double at(std::size_t row, std::size_t column) const {
        return numbers[row * columns() + column];
    }
};

/// Nothing for a text, a struct or a list of anything but numbers.
std::optional<Grid> grid_of(const Value& value);

/// An array with the grid's numbers to take the place of another, whose type its elements have.
Value value_of(const Grid& grid, const Array& in_place_of);

/// The grid with 0 in its rows, or its columns, from one on.
Grid zero_from(Grid grid, bool rows, std::size_t first);

/// Whether two grids are one, but for the rounding of a few operations.
bool same_numbers(const Grid& a, const Grid& b);

/// Whether got is what was predicted: nearly, and far nearer than to what it should be.
bool fits(const Grid& got, const Grid& predicted, const Grid& expected);

/// Of an answer in floats: what is right to their digits is made what it should be.
Grid without_rounding(Grid got, const Grid& expected);

} // namespace judge
