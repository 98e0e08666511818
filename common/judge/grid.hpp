#pragma once

#include <optional>
#include <vector>

#include "judge/value.hpp"

namespace judge {

/// A place in an array: the matrix along the first axis, its row and column, and how many there are
/// of each. A vector is one row, a matrix the only one.
struct Place {
    std::size_t matrix = 0, row = 0, column = 0;
    std::size_t matrices = 1, rows = 1, columns = 1;

    std::size_t index() const { return (matrix * rows + row) * columns + column; }
};

/// Lines of numbers in an array: its rows, its columns, or all in one.
enum class Lines { rows, columns, all };

/// The numbers of a value, whatever their type: of an array of any rank, a list, or a scalar.
struct Grid {
    std::vector<std::size_t> shape;
    std::vector<double> numbers;
    bool of_floats = false; // of an array of floats: right to their digits, not a double's

    std::size_t rank() const { return shape.size(); }
    std::size_t columns() const { return rank() == 0 ? 1 : shape.back(); }
    std::size_t rows() const { return rank() < 2 ? 1 : shape[rank() - 2]; } // of each matrix
    std::size_t matrices() const {
        return numbers.size() / std::max<std::size_t>(1, rows() * columns());
    }
    /// The number of places, as the sizes of a place.
    Place sizes() const { return {0, 0, 0, matrices(), rows(), columns()}; }
    /// All places, in the order of the numbers.
    std::vector<Place> places() const;
    /// The indices of the numbers in each line.
    std::vector<std::vector<std::size_t>> lines(Lines kind) const;
};

/// Nothing for a text, a struct, or a list of anything except numbers.
std::optional<Grid> grid_of(const Value& value);

/// An array with the grid's numbers, to replace another whose element type it has.
Value value_of(const Grid& grid, const Array& in_place_of);

/// The grid with 0 at some places.
template <class IsZero>
Grid zero_where(Grid grid, const IsZero& is_zero) {
    for (const Place& place : grid.places()) {
        grid.numbers[place.index()] = is_zero(place) ? 0 : grid.numbers[place.index()];
    }
    return grid;
}

bool all_finite(const Grid& grid);
bool is_all_zero(const Grid& grid);

/// Whether two grids are equal, apart from the rounding of a few operations.
bool same_numbers(const Grid& a, const Grid& b);

/// Whether got is close to the prediction, and far closer than to the right answer.
bool fits(const Grid& got, const Grid& predicted, const Grid& expected);

/// For an answer in floats: numbers that are right to a float's digits are replaced by the right
/// ones.
Grid without_rounding(Grid got, const Grid& expected);

} // namespace judge
