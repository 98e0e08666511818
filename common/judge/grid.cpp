#include "judge/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace judge {

namespace {

constexpr double few_roundings = 1e-9; // of an element, or a thousandth of it of the largest

std::optional<double> number_of(const Value& value) {
    return std::visit(
        [](const auto& alternative) -> std::optional<double> {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(alternative)>>) {
                return static_cast<double>(alternative);
            } else {
                return std::nullopt;
            }
        },
        value.data);
}

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

std::optional<Grid> grid_of(const Value& value) {
    if (const auto number = number_of(value)) {
        return Grid{{}, {*number}};
    }
    Grid grid;
    if (const auto* array = std::get_if<Array>(&value.data)) {
        grid.shape = array->shape;
        for (std::size_t i = 0; i < array->count(); ++i) {
            grid.numbers.push_back(array->at(i));
        }
        return grid;
    }
    if (const auto* list = std::get_if<List>(&value.data)) {
        for (const Value& item : *list) {
            const auto number = number_of(item);
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

Value value_of(const Grid& grid) {
    Array array;
    array.shape = grid.shape;
    array.bytes.assign(reinterpret_cast<const char*>(grid.numbers.data()),
                       grid.numbers.size() * sizeof(double));
    return {array};
}

bool same_numbers(const Grid& a, const Grid& b) {
    if (a.shape != b.shape || a.numbers.size() != b.numbers.size()) {
        return false;
    }
    const double absolute = 1e-3 * few_roundings * std::min(largest_of(a), largest_of(b));
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
        const double off = std::abs(a.numbers[i] - b.numbers[i]);
        const double allowed = absolute + few_roundings * std::abs(b.numbers[i]);
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

} // namespace judge
