// The right numbers, in places that follow no simple rule.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

using S = std::size_t;

/// Whether two numbers are one, of many whose largest is this.
bool is_number(double a, double b, double largest) {
    return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), 1e-3 * largest);
}

/// How numbers of an answer are those of the right one, in other places.
struct Moved {
    bool all = false;  // each of them is there, once
    bool some = false; // each is one of the right ones or 0
    S different = 0;   // how many numbers, but 0, stand where another should
};

Moved moved_in(const Pair& pair) {
    std::vector<double> got = pair.got.numbers, right = pair.expected.numbers;
    Moved moved;
    const auto finite = [](double x) { return std::isfinite(x); };
    if (pair.got.shape != pair.expected.shape || !std::all_of(got.begin(), got.end(), finite) ||
        !std::all_of(right.begin(), right.end(), finite)) {
        return moved;
    }
    double largest = 0;
    for (const double x : right) {
        largest = std::max(largest, std::abs(x));
    }
    std::vector<double> strangers;
    for (S k = 0; k < got.size(); ++k) {
        if (got[k] != 0 && !is_number(got[k], right[k], largest)) {
            strangers.push_back(got[k]);
        }
    }
    std::sort(got.begin(), got.end());
    std::sort(right.begin(), right.end());
    moved.all = std::equal(got.begin(), got.end(), right.begin(),
                           [=](double a, double b) { return is_number(a, b, largest); });
    moved.some = std::all_of(strangers.begin(), strangers.end(), [&](double x) {
        const auto next = std::lower_bound(right.begin(), right.end(), x);
        return (next != right.end() && is_number(x, *next, largest)) ||
               (next != right.begin() && is_number(x, *std::prev(next), largest));
    });
    std::sort(strangers.begin(), strangers.end());
    moved.different =
        static_cast<S>(std::unique(strangers.begin(), strangers.end()) - strangers.begin());
    return moved;
}

/// Where a row begins.
template <class Numbers>
auto row_of(Numbers& grid, S row) {
    return grid.numbers.begin() + static_cast<std::ptrdiff_t>(row * grid.columns());
}

} // namespace

Turn turn_of_a_row_twice() {
    return {"row_before_once_more",
            "a row that is wrong is the row before it once more. Is something that is made for one "
            "row used for the next without being made anew, or is the row left as it was?",
            [](const Pair& pair) -> std::optional<Grid> {
                if (pair.got.shape != pair.expected.shape) {
                    return std::nullopt;
                }
                Grid predicted = pair.expected;
                for (S i = 1; i < predicted.rows(); ++i) {
                    const auto row = row_of(pair.got, i);
                    if (std::equal(row_of(pair.got, i - 1), row, row)) {
                        std::copy_n(row, predicted.columns(), row_of(predicted, i));
                    }
                }
                return predicted;
            }};
}

std::vector<Turn> turns_of_other_places() {
    const auto where = [](bool (*so)(const Moved&)) {
        return [=](const Pair& pair) -> std::optional<Grid> {
            return same_numbers(pair.got, pair.expected) || so(moved_in(pair)) ? pair.got
                                                                               : pair.expected;
        };
    };
    return {{"right_numbers_elsewhere",
             "the right numbers are all there, but not each in its place. Look at how the indices "
             "are computed.",
             where([](const Moved& moved) { return moved.all && moved.different >= 2; })},
            {"some_of_the_right_numbers_elsewhere",
             "the numbers are right ones, but stand in other places: some come more than once or "
             "are 0, and others are missing. Look at how the indices are computed.",
             where([](const Moved& moved) { return moved.some && moved.different >= 3; })}};
}

} // namespace judge
