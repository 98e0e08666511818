#include "judge/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/compare.hpp"

namespace judge {

namespace {

/// How much two computations of an element may differ.
struct Rounding {
    double of_element, of_largest;
};
constexpr Rounding of_doubles{1e-9, 1e-12};
constexpr Rounding of_floats{1e-5, 1e-6};

double largest_of(const Grid& grid) {
    double largest = 0;
    for (const double number : grid.numbers) {
        largest = std::isfinite(number) ? std::max(largest, std::abs(number)) : largest;
    }
    return largest;
}

bool alike(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

double distance(const Grid& a, const Grid& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
        const double off = std::abs(a.numbers[i] - b.numbers[i]);
        most = alike(a.numbers[i], b.numbers[i]) ? most
               : std::isnan(off)                 ? std::numeric_limits<double>::infinity()
                                                 : std::max(most, off);
    }
    return most;
}

} // namespace

std::vector<Place> Grid::places() const {
    std::vector<Place> all;
    all.reserve(numbers.size());
    Place place = sizes();
    for (; place.index() < numbers.size(); all.push_back(place), ++place.column) {
        if (place.column == place.columns) {
            place.column = 0;
            ++place.row;
        }
        if (place.row == place.rows) {
            place.row = 0;
            ++place.matrix;
        }
    }
    return all;
}

std::vector<std::vector<std::size_t>> Grid::lines(Lines kind) const {
    std::vector<std::vector<std::size_t>> all;
    for (const Place& place : places()) {
        const std::size_t line = kind == Lines::rows ? place.matrix * place.rows + place.row
                                 : kind == Lines::columns
                                     ? place.matrix * place.columns + place.column
                                     : 0;
        all.resize(std::max(all.size(), line + 1));
        all[line].push_back(place.index());
    }
    return all;
}

std::optional<Grid> grid_of(const Value& value) {
    if (const auto number = scalar_of(value)) {
        return Grid{{}, {*number}};
    }
    Grid grid;
    if (const auto* array = std::get_if<Array>(&value.data)) {
        grid.shape = array->shape;
        grid.of_floats = array->kind == 'f' && array->size == sizeof(float);
        for (std::size_t i = 0; i < array->count(); ++i) {
            grid.numbers.push_back(array->at(i));
        }
        return grid;
    }
    if (const auto* list = std::get_if<List>(&value.data)) {
        for (const Value& item : *list) {
            const auto number = scalar_of(item);
            if (!number) {
                return std::nullopt;
            }
            grid.numbers.push_back(*number);
        }
        grid.shape = {grid.numbers.size()};
        return grid;
    }
    return std::nullopt;
}

Value value_of(const Grid& grid, const Array& in_place_of) {
    const auto array_of = [&grid](const auto& numbers) {
        Array array;
        array.size = sizeof(numbers.front());
        array.shape = grid.shape;
        array.bytes.assign(reinterpret_cast<const char*>(numbers.data()),
                           numbers.size() * sizeof(numbers.front()));
        return Value{array};
    };
    return in_place_of.size == sizeof(float)
               ? array_of(std::vector<float>(grid.numbers.begin(), grid.numbers.end()))
               : array_of(grid.numbers);
}

bool all_finite(const Grid& grid) {
    return std::ranges::all_of(grid.numbers, [](double x) { return std::isfinite(x); });
}

bool is_all_zero(const Grid& grid) {
    return std::ranges::all_of(grid.numbers, [](double x) { return x == 0; });
}

bool same_numbers(const Grid& a, const Grid& b) {
    if (a.shape != b.shape || a.numbers.size() != b.numbers.size()) {
        return false;
    }
    const Rounding rounding = a.of_floats || b.of_floats ? of_floats : of_doubles;
    const double absolute = rounding.of_largest * std::min(largest_of(a), largest_of(b));
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
        const double off = std::abs(a.numbers[i] - b.numbers[i]);
        const double allowed = absolute + rounding.of_element * std::abs(b.numbers[i]);
        if (!alike(a.numbers[i], b.numbers[i]) && !(std::isfinite(off) && off <= allowed)) {
            return false;
        }
    }
    return true;
}

bool fits(const Grid& got, const Grid& predicted, const Grid& expected) {
    return same_numbers(got, predicted) &&
           (got.shape != expected.shape ||
            distance(got, predicted) <= 1e-2 * distance(got, expected));
}

Grid without_rounding(Grid got, const Grid& expected) {
    if (!got.of_floats || got.shape != expected.shape) {
        return got;
    }
    const double absolute = of_floats.of_largest * largest_of(expected);
    for (std::size_t i = 0; i < got.numbers.size(); ++i) {
        const double right = expected.numbers[i];
        if (std::abs(got.numbers[i] - right) <= absolute + of_floats.of_element * std::abs(right)) {
            got.numbers[i] = right;
        }
    }
    return got;
}

} // namespace judge
