#include "judge/looks_tests.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "judge/blocks.hpp"

namespace judge {

namespace {

using S = std::size_t;
using Numbers = std::vector<double>;

} // namespace

bool all_pairs(const Pairs& pairs, const std::function<bool(const Pair&)>& holds) {
    return std::all_of(pairs.begin(), pairs.end(), holds);
}

bool is_off(double yours, double expected) {
    return yours != expected &&
           !(std::isfinite(expected) && std::abs(yours - expected) <= 1e-9 * std::abs(expected));
}

// Elements.

LookTest each_element(std::function<double(double)> of) {
    return [of = std::move(of)](const Pair& pair) -> std::optional<Grid> {
        Grid result = pair.expected;
        bool all_zero = true;
        for (double& number : result.numbers) {
            all_zero = all_zero && number == 0;
            number = of(number);
        }
        // Many things make a 1 of a 0, as exp does.
        return all_zero && of(0) != 0 ? std::nullopt : std::optional(result);
    };
}

namespace {

std::optional<double> by_the_largest(const Pair& pair, double (*solve)(double, double)) {
    double found = NAN, size = -1;
    for (S i = 0; i < std::min(pair.yours.numbers.size(), pair.expected.numbers.size()); ++i) {
        const double yours = pair.yours.numbers[i], expected = pair.expected.numbers[i];
        if (std::isfinite(expected) && std::isfinite(yours) && std::abs(expected) > size) {
            size = std::abs(expected);
            found = solve(yours, expected);
        }
    }
    return std::isfinite(found) ? std::optional(found) : std::nullopt;
}

} // namespace

std::optional<double> factor_of(const Pair& pair) {
    return by_the_largest(pair, [](double yours, double expected) { return yours / expected; });
}

std::optional<double> difference_of(const Pair& pair) {
    return by_the_largest(pair, [](double yours, double expected) { return yours - expected; });
}

std::optional<Grid> times_its_factor(const Pair& pair) {
    const double factor = factor_of(pair).value_or(0);
    const auto& right = pair.expected.numbers;
    const auto not_zero =
        std::count_if(right.begin(), right.end(), [](double x) { return x != 0; });
    return factor == 0 || not_zero < 2 ? std::nullopt
                                       : each_element([=](double x) { return factor * x; })(pair);
}

double largest_lost(const Pairs& wrong) {
    double lost = 0;
    for (const Pair& pair : wrong) {
        for (S i = 0; pair.same_shape() && i < pair.yours.numbers.size(); ++i) {
            lost = pair.yours.numbers[i] == 0 ? std::max(lost, std::abs(pair.expected.numbers[i]))
                                              : lost;
        }
    }
    return lost > 0.01 ? 0 : lost;
}

std::optional<Grid> zero_as_yours(const Pair& pair) {
    return !pair.same_shape() ? pair.expected : zero_where(pair.expected, [&](const Place& place) {
        return pair.yours.numbers[place.index()] == 0;
    });
}

// Places.

namespace {

/// The shape of an answer that has so many rows, columns and matrices. One matrix may be one alone.
std::vector<S> shape_of(const Pair& pair, const Place& sizes) {
    if (pair.expected.rank() > 3) {
        return pair.expected.shape;
    }
    const bool one_matrix = sizes.matrices == 1 && pair.yours.rank() == 2;
    const auto rank = static_cast<std::ptrdiff_t>(one_matrix ? 2 : pair.expected.rank());
    const std::vector<S> all{sizes.matrices, sizes.rows, sizes.columns};
    return {all.end() - rank, all.end()};
}

} // namespace

LookTest moved(void (*from)(Place&), void (*resize)(Place&)) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        const Place whole = pair.expected.sizes();
        Place sizes = whole;
        if (resize != nullptr) {
            resize(sizes);
        }
        Grid result{shape_of(pair, sizes), Numbers(sizes.matrices * sizes.rows * sizes.columns)};
        for (const Place& place : result.places()) {
            Place origin = whole;
            origin.matrix = place.matrix;
            origin.row = place.row;
            origin.column = place.column;
            if (from != nullptr) {
                from(origin);
            }
            if (origin.matrix >= whole.matrices || origin.row >= whole.rows ||
                origin.column >= whole.columns) {
                return std::nullopt;
            }
            result.numbers[place.index()] = pair.expected.numbers[origin.index()];
        }
        return result.numbers.empty() ? std::nullopt : std::optional(result);
    };
}

std::optional<Grid> wrong_inside(const Pair& pair, const Part& part, bool zero, double least) {
    Grid result = pair.expected;
    S outside = 0, inside = 0, off = 0;
    if (!pair.same_shape()) {
        return std::nullopt;
    }
    for (const Place& place : result.places()) {
        const S k = place.index();
        if (!part(place)) {
            outside += result.numbers[k] != 0 ? 1 : 0;
            continue;
        }
        ++inside;
        off += is_off(pair.yours.numbers[k], result.numbers[k]) ? 1 : 0;
        result.numbers[k] = zero ? 0 : pair.yours.numbers[k];
    }
    if (!zero && static_cast<double>(off) < least * static_cast<double>(inside)) {
        return pair.expected;
    }
    return outside > 0 ? std::optional(result) : std::nullopt;
}

std::vector<Axis> axes_of(const Pairs& wrong) {
    const S rank = wrong.front().expected.rank();
    const std::vector<Axis> all{
        {rank == 1 ? "elements" : "columns", [](const Place& p) { return p.column; },
         [](const Place& p) { return p.columns; }},
        {"rows", [](const Place& p) { return p.row; }, [](const Place& p) { return p.rows; }},
        {"matrices along the first axis", [](const Place& p) { return p.matrix; },
         [](const Place& p) { return p.matrices; }}};
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min<S>(rank, 3))};
}

namespace {

/// Whether all that is wrong is no number: the cause is what it is made of, not where it is.
bool wrong_by_nan_alone(const Pair& pair) {
    for (S k = 0; k < pair.yours.numbers.size(); ++k) {
        if (std::isfinite(pair.yours.numbers[k]) &&
            is_off(pair.yours.numbers[k], pair.expected.numbers[k])) {
            return false;
        }
    }
    return true;
}

} // namespace

LookTest only_as_many_as(Axis axis, S number, const std::string& size, bool zero) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        // An argument that may be left out has no sizes where it is.
        if (number >= pair.sizes.size() || pair.sizes[number].first != size) {
            return std::nullopt;
        }
        const Part after = [=, end = pair.sizes[number].second](const Place& place) {
            return static_cast<double>(axis.position(place)) >= end;
        };
        if (zero) {
            return zero_where(pair.expected, after);
        }
        return !pair.same_shape() || wrong_by_nan_alone(pair)
                   ? std::nullopt
                   : wrong_inside(pair, after, false, 0.05);
    };
}

LookTest zero_past_whole_blocks(Axis axis, S block, S from) {
    return [=](const Pair& pair) {
        return std::optional(zero_where(pair.expected, [=](const Place& place) {
            return axis.position(place) >= in_whole_blocks(axis.count(place), block, from);
        }));
    };
}

S first_wrong(Axis axis, const Pairs& wrong) {
    S first = static_cast<S>(-1);
    for (const Pair& pair : wrong) {
        for (const Place& place : pair.same_shape() ? pair.yours.places() : std::vector<Place>()) {
            if (is_off(pair.yours.numbers[place.index()], pair.expected.numbers[place.index()])) {
                first = std::min(first, axis.position(place));
            }
        }
    }
    return first;
}

std::optional<Grid> first_axis_added_up(const Pair& pair) {
    const Grid& right = pair.expected;
    const S matrix = right.rows() * right.columns();
    if (right.rank() != 3 || right.matrices() < 2) {
        return std::nullopt;
    }
    Grid sum = right;
    for (S k = matrix; k < right.numbers.size(); ++k) {
        sum.numbers[k % matrix] += right.numbers[k];
    }
    for (S k = matrix; k < right.numbers.size(); ++k) {
        sum.numbers[k] = sum.numbers[k % matrix];
    }
    if (pair.yours.rank() == 2) {
        sum.shape.erase(sum.shape.begin());
        sum.numbers.resize(matrix);
    }
    return sum;
}

std::optional<Grid> row_before_once_more(const Pair& pair) {
    if (!pair.same_shape()) {
        return std::nullopt;
    }
    Grid predicted = pair.expected;
    const S columns = predicted.columns();
    const auto& yours = pair.yours.numbers;
    for (S begin = columns; begin < yours.size(); begin += columns) {
        const auto row = yours.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto before = row - static_cast<std::ptrdiff_t>(columns);
        if (std::equal(before, row, row)) {
            std::copy(before, row, predicted.numbers.begin() + static_cast<std::ptrdiff_t>(begin));
        }
    }
    return predicted;
}

// Lines.

LookTest each_line(Lines kind, Change change) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        Grid result = pair.expected;
        if (!pair.same_shape()) {
            return result;
        }
        for (const std::vector<S>& places : result.lines(kind)) {
            Numbers line, yours;
            for (const S k : places) {
                line.push_back(result.numbers[k]);
                yours.push_back(pair.yours.numbers[k]);
            }
            if (!change(line, yours)) {
                return std::nullopt;
            }
            for (S k = 0; k < places.size(); ++k) {
                result.numbers[places[k]] = line[k];
            }
        }
        return result;
    };
}

bool to_running_sums(Numbers& line, const Numbers&) {
    for (S k = 1; k < line.size(); ++k) {
        line[k] += line[k - 1];
    }
    return true;
}

bool to_sum_one(Numbers& line, const Numbers&) {
    double sum = 0;
    std::for_each(line.begin(), line.end(), [&](double x) { sum += x; });
    std::for_each(line.begin(), line.end(), [&](double& x) { x /= sum; });
    return sum != 0; // other divisions give NaN, too
}

bool to_length_one(Numbers& line, const Numbers&) {
    double squares = 0;
    std::for_each(line.begin(), line.end(), [&](double x) { squares += x * x; });
    std::for_each(line.begin(), line.end(), [&](double& x) { x /= std::sqrt(squares); });
    return true;
}

bool to_softmax(Numbers& line, const Numbers& yours) {
    const double largest = *std::max_element(line.begin(), line.end());
    std::for_each(line.begin(), line.end(), [=](double& x) { x = std::exp(x - largest); });
    return to_sum_one(line, yours);
}

namespace {

/// Where the largest element of a line is; nothing if too few are not 0.
std::optional<S> largest_in(const Numbers& line, const Numbers& yours, S least) {
    const auto count = std::count_if(line.begin(), line.end(), [](double x) { return x != 0; });
    const auto largest = std::max_element(
        line.begin(), line.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    const auto place = static_cast<S>(largest - line.begin());
    return static_cast<S>(count) >= least && std::isfinite(yours[place]) ? std::optional(place)
                                                                         : std::nullopt;
}

} // namespace

bool times_a_factor(Numbers& line, const Numbers& yours) {
    const auto largest = largest_in(line, yours, 3);
    if (!largest || yours[*largest] == 0) {
        return line.size() >= 3 && is_all_zero({{}, line}); // it stays 0
    }
    const double factor = yours[*largest] / line[*largest];
    std::for_each(line.begin(), line.end(), [=](double& x) { x *= factor; });
    return true;
}

bool times_a_little_less(Numbers& line, const Numbers& yours) {
    const auto largest = largest_in(line, yours, 1);
    if (!largest) {
        return is_all_zero({{}, line});
    }
    const double factor = yours[*largest] / line[*largest];
    std::for_each(line.begin(), line.end(), [=](double& x) { x *= factor; });
    return factor <= 1 + 1e-15 && factor >= 0.99;
}

bool plus_a_number(Numbers& line, const Numbers& yours) {
    const auto largest = largest_in(line, yours, 3);
    const double difference = largest ? yours[*largest] - line[*largest] : 0;
    std::for_each(line.begin(), line.end(), [=](double& x) { x += difference; });
    return largest.has_value();
}

// Right numbers in places that follow no simple rule.

namespace {

bool is_one_number(double a, double b, double largest) {
    return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), 1e-3 * largest);
}

bool are_right_numbers(const Pair& pair, bool all, S least_different) {
    if (!pair.same_shape() || !all_finite(pair.yours) || !all_finite(pair.expected)) {
        return false;
    }
    Numbers yours = pair.yours.numbers, right = pair.expected.numbers;
    double largest = 0;
    std::for_each(right.begin(), right.end(),
                  [&](double x) { largest = std::max(largest, std::abs(x)); });
    const auto same = [=](double a, double b) { return is_one_number(a, b, largest); };
    std::set<double> strangers;
    for (S k = 0; k < yours.size(); ++k) {
        if (yours[k] != 0 && !same(yours[k], right[k])) {
            strangers.insert(yours[k]);
        }
    }
    std::sort(yours.begin(), yours.end());
    std::sort(right.begin(), right.end());
    const auto is_right_one = [&](double x) {
        const auto next = std::lower_bound(right.begin(), right.end(), x);
        return (next != right.end() && same(x, *next)) ||
               (next != right.begin() && same(x, *std::prev(next)));
    };
    return strangers.size() >= least_different &&
           (all ? std::equal(yours.begin(), yours.end(), right.begin(), same)
                : std::all_of(strangers.begin(), strangers.end(), is_right_one));
}

} // namespace

LookTest right_numbers(bool all, S least_different) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        return same_numbers(pair.yours, pair.expected) ||
                       are_right_numbers(pair, all, least_different)
                   ? pair.yours
                   : pair.expected;
    };
}

} // namespace judge
