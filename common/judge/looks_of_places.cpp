// What wrong answers look like by the places of their numbers, and by their shapes.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "judge/looks_table.hpp"

namespace judge {

namespace {

using S = std::size_t;
using Numbers = std::vector<double>;
using Rows = std::vector<LookRow>;

// The right numbers in other places -----------------------------------------------------------

/// from: where the number at a place comes from; resize: how many rows, columns and matrices there
/// are. Either may be nullptr.
struct MovedRow {
    const char* name;
    const char* sentence;
    void (*from)(Place&);
    void (*resize)(Place&) = nullptr;
};

const std::vector<MovedRow> moved_in_a_vector{
    {"backwards", "the right numbers are in reverse order.",
     [](Place& p) { p.column = p.columns - 1 - p.column; }},
    {"last_element_missing", "the last element is missing: there is one less than there should be.",
     nullptr, [](Place& p) { --p.columns; }},
    {"first_element_everywhere", "every element is what the first should be.",
     [](Place& p) { p.column = 0; }}};

const std::vector<MovedRow> moved_in_a_matrix{
    {"transposed",
     "these are the right numbers in a transposed matrix: rows and columns have changed places.",
     [](Place& p) { std::swap(p.row, p.column); }, [](Place& p) { std::swap(p.rows, p.columns); }},
    {"written_by_columns",
     "the right numbers are stored column after column. "
     "Arrays are stored row after row: element (i, j) is number i * columns + j.",
     [](Place& p) {
         const S k = p.row * p.columns + p.column;
         p.row = k % p.rows;
         p.column = k / p.rows;
     }},
    {"rows_backwards", "the right rows are in reverse order.",
     [](Place& p) { p.row = p.rows - 1 - p.row; }},
    {"first_row_everywhere", "every row is what the first should be.", [](Place& p) { p.row = 0; }},
    {"last_row_everywhere", "every row is what the last should be.",
     [](Place& p) { p.row = p.rows - 1; }},
    {"first_column_everywhere", "every column is what the first should be.",
     [](Place& p) { p.column = 0; }},
    {"diagonal_in_rows", "every element of row i is what element (i, i) should be.",
     [](Place& p) { p.column = p.row; }},
    {"last_row_missing", "the last row is missing: there is one row less than there should be.",
     nullptr, [](Place& p) { --p.rows; }},
    {"last_column_missing",
     "the last column is missing: there is one column less than there should be.", nullptr,
     [](Place& p) { --p.columns; }}};

// A head of several, or an example of a batch: what lies along the first axis of a rank-3 answer.
const std::vector<MovedRow> moved_along_the_first_axis{
    {"first_of_the_first_axis_everywhere",
     "every matrix along the first axis is what the first should be. "
     "Is the index along that axis used?",
     [](Place& p) { p.matrix = 0; }},
    {"last_of_the_first_axis_everywhere",
     "every matrix along the first axis is what the last should be. "
     "Does each overwrite the one before it?",
     [](Place& p) { p.matrix = p.matrices - 1; }},
    {"first_axis_backwards", "the right matrices are in reverse order along the first axis.",
     [](Place& p) { p.matrix = p.matrices - 1 - p.matrix; }},
    {"last_of_the_first_axis_missing",
     "the last matrix along the first axis is missing: there is one less than there should be.",
     nullptr, [](Place& p) { --p.matrices; }},
    {"axes_exchanged",
     "these are the right numbers, with the first and the second axis of the array exchanged.",
     [](Place& p) { std::swap(p.matrix, p.row); }, [](Place& p) { std::swap(p.matrices, p.rows); }},
    {"axes_not_exchanged",
     "the right numbers are stored as if the first two axes of the array were exchanged. reshape alone changes no order: exchange the axes, too.",
     [](Place& p) {
         const S k = p.matrix * p.rows + p.row;
         p.row = k / p.matrices;
         p.matrix = k % p.matrices;
     }}};

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

LookTest moved(const MovedRow& row) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        const Place whole = pair.expected.sizes();
        Place sizes = whole;
        if (row.resize != nullptr) {
            row.resize(sizes);
        }
        Grid result{shape_of(pair, sizes), Numbers(sizes.matrices * sizes.rows * sizes.columns)};
        for (const Place& place : result.places()) {
            Place origin = whole;
            origin.matrix = place.matrix;
            origin.row = place.row;
            origin.column = place.column;
            if (row.from != nullptr) {
                row.from(origin);
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

/// Only right numbers and 0, and several of them not where they should be.
std::optional<Grid> right_numbers_elsewhere(const Pair& pair) {
    const auto& yours = pair.yours.numbers;
    Numbers right = pair.expected.numbers;
    if (!pair.same_shape() || !all_finite(pair.yours) || !all_finite(pair.expected)) {
        return pair.expected;
    }
    double largest = 0;
    std::ranges::for_each(right, [&](double x) { largest = std::max(largest, std::abs(x)); });
    const auto same = [=](double a, double b) {
        return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), 1e-3 * largest);
    };
    std::set<double> strangers;
    for (S k = 0; k < yours.size(); ++k) {
        if (yours[k] != 0 && !same(yours[k], right[k])) {
            strangers.insert(yours[k]);
        }
    }
    std::ranges::sort(right);
    const bool all_right = std::ranges::all_of(strangers, [&](double x) {
        const auto next = std::ranges::lower_bound(right, x);
        return (next != right.end() && same(x, *next)) ||
               (next != right.begin() && same(x, *std::prev(next)));
    });
    return all_right && strangers.size() >= 3 ? pair.yours : pair.expected;
}

// Parts ---------------------------------------------------------------------------------------

/// A part of an array, or of each matrix along the first axis.
struct PartRow {
    const char* name;
    const char* is; // "the last row is"
    const char* question;
    bool (*inside)(const Place&);
    double least = 0; // how much of it has to be wrong for that to say something
};

const char* const ends_too_early = " Does a loop end one too early?";
const char* const starts_at_1 = " Does a loop start at 1? Indices count from 0.";

// The smallest first.
const std::vector<PartRow> parts_of_a_vector{
    {"first_element", "the first element is", starts_at_1,
     [](const Place& p) { return p.index() == 0; }},
    {"last_element", "the last element is", ends_too_early,
     [](const Place& p) { return p.index() + 1 == p.matrices * p.rows * p.columns; }}};

const std::vector<PartRow> parts_of_a_matrix{
    {"last_row", "the last row is", ends_too_early,
     [](const Place& p) { return p.row + 1 == p.rows; }},
    {"first_row", "the first row is", starts_at_1, [](const Place& p) { return p.row == 0; }},
    {"last_column", "the last column is", ends_too_early,
     [](const Place& p) { return p.column + 1 == p.columns; }},
    {"first_column", "the first column is", starts_at_1,
     [](const Place& p) { return p.column == 0; }},
    {"diagonal", "the diagonal is", "", [](const Place& p) { return p.row == p.column; }},
    {"above_the_diagonal", "everything above the diagonal is", "",
     [](const Place& p) { return p.column > p.row; }, 0.95},
    {"below_the_diagonal", "everything below the diagonal is", "",
     [](const Place& p) { return p.column < p.row; }, 0.95}};

const std::vector<PartRow> parts_of_the_first_axis{
    {"last_of_the_first_axis", "the last matrix along the first axis is", ends_too_early,
     [](const Place& p) { return p.matrix + 1 == p.matrices; }},
    {"first_of_the_first_axis", "the first matrix along the first axis is", starts_at_1,
     [](const Place& p) { return p.matrix == 0; }}};

/// Whether a number is not the expected one, but for rounding.
bool is_off(double yours, double expected) {
    return yours != expected &&
           !(std::isfinite(expected) && std::abs(yours - expected) <= 1e-9 * std::abs(expected));
}

/// Right outside of a part, and in it 0, or whatever yours is. least: how much of the part has to
/// be wrong for that to say something.
template <class Part>
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

enum class Claim { part_is_zero, rest_is_zero, part_is_wrong, rest_is_wrong };

void add_parts(const std::vector<PartRow>& parts, Claim claim, Rows& rows) {
    const bool zero = claim == Claim::part_is_zero || claim == Claim::rest_is_zero;
    const bool rest = claim == Claim::rest_is_zero || claim == Claim::rest_is_wrong;
    const char* const sentence = claim == Claim::part_is_zero   ? "{} 0, and the rest is right.{}"
                                 : claim == Claim::rest_is_zero ? "only {} right, the rest is 0."
                                 : claim == Claim::part_is_wrong
                                     ? "in the wrong answers, only {} wrong."
                                     : "in the wrong answers, only {} right.";
    for (const PartRow& part : parts) {
        rows.push_back(
            {fmt::format("{}{}_is_{}", rest ? "all_but_" : "", part.name, zero ? "zero" : "wrong"),
             fmt::format(fmt::runtime(sentence), part.is, part.question),
             [=](const Pair& pair) {
                 const auto inside = [&](const Place& place) { return part.inside(place) != rest; };
                 return wrong_inside(pair, inside, zero, rest ? 0.9 : part.least);
             },
             zero});
    }
}

// Shapes --------------------------------------------------------------------------------------

/// What a size of the answers is in all of them: "the number of columns of X", or "1 here", which
/// need not be the rule; "" if it is nothing that has a name.
std::string size_text(const Pairs& pairs, S axis, Grid Pair::*answer) {
    const auto always = [&](const auto& number_of) {
        return std::ranges::all_of(pairs, [&](const Pair& pair) {
            return static_cast<double>((pair.*answer).shape.at(axis)) == number_of(pair);
        });
    };
    for (const double number : {0.0, 1.0}) {
        if (always([=](const Pair&) { return number; })) {
            return fmt::format("{:g} here", number);
        }
    }
    for (const int beside : {0, 1, -1}) {
        for (S k = 0; k < pairs.front().sizes.size(); ++k) {
            if (always([=](const Pair& pair) {
                    return k < pair.sizes.size() ? pair.sizes[k].second + beside : NAN;
                })) {
                return pairs.front().sizes[k].first + (beside > 0   ? " plus 1"
                                                       : beside < 0 ? " minus 1"
                                                                    : "");
            }
        }
    }
    return "";
}

/// What decides the shape of answers that have the wrong one; "" if nothing that has a name does.
std::string shape_sentence(const Pairs& wrong) {
    Pairs pairs;
    std::ranges::copy_if(wrong, std::back_inserter(pairs), [](const Pair& pair) {
        return !pair.same_shape() && pair.yours.rank() == pair.expected.rank();
    });
    if (pairs.size() < 2) {
        return "";
    }
    if (std::ranges::all_of(pairs, [](const Pair& pair) { return pair.yours.numbers.empty(); })) {
        return "it has no elements: nothing is ever stored in it.";
    }
    const S rank = pairs.front().yours.rank();
    std::string sentence;
    for (S axis = 0; axis < rank; ++axis) {
        const std::string yours = size_text(pairs, axis, &Pair::yours);
        const std::string expected = size_text(pairs, axis, &Pair::expected);
        if (std::ranges::all_of(pairs, [=](const Pair& pair) {
                return pair.yours.shape.at(axis) == pair.expected.shape.at(axis);
            })) {
            continue;
        }
        if (yours.empty() || expected.empty()) {
            return "";
        }
        sentence +=
            fmt::format("{}{} of the result is {}, where it should be {}",
                        sentence.empty() ? "" : "; ", axis_name(rank, axis), yours, expected);
    }
    return sentence + ".";
}

std::optional<Grid> in_another_shape(const Pair& pair) {
    return pair.yours.numbers.size() == pair.expected.numbers.size()
               ? std::optional(Grid{pair.yours.shape, pair.expected.numbers})
               : std::nullopt;
}

std::optional<Grid> one_number_everywhere(const Pair& pair) {
    const auto& yours = pair.yours.numbers;
    return yours.size() < 3 || !std::isfinite(yours[0])
               ? std::nullopt
               : std::optional(Grid{pair.yours.shape, Numbers(yours.size(), yours[0])});
}

std::optional<Grid> not_a_number(const Pair& pair) {
    return all_finite(pair.expected) && !all_finite(pair.yours) ? pair.yours : pair.expected;
}

} // namespace

std::vector<LookRow> looks_of_places(const Pairs& wrong) {
    const S rank = wrong.front().expected.rank();
    const auto append = [](auto& rows, const auto& more) {
        rows.insert(rows.end(), more.begin(), more.end());
    };
    std::vector<MovedRow> moves = rank >= 2 ? moved_in_a_matrix : moved_in_a_vector;
    std::vector<PartRow> elements, parts; // a single number has none
    if (rank > 0) {
        append(elements, parts_of_a_vector);
    }
    if (rank >= 2) {
        append(parts, parts_of_a_matrix);
    }
    if (rank == 3) {
        append(parts, parts_of_the_first_axis);
        append(moves, moved_along_the_first_axis);
    }
    std::vector<PartRow> all = elements;
    append(all, parts);
    Rows rows;
    if (const auto digits = look_of_digits(wrong)) {
        rows.push_back(*digits);
    }
    for (const MovedRow& row : moves) {
        rows.push_back({row.name, row.sentence, moved(row)});
    }
    add_parts(all, Claim::part_is_zero, rows);
    add_parts(all, Claim::rest_is_zero, rows);
    append(rows, looks_of_lines(rank, false));
    add_parts(all, Claim::part_is_wrong, rows);
    append(rows, looks_of_lines(rank, true));
    rows.push_back({"right_numbers_elsewhere",
                    "the numbers are right ones, but not all in their places. "
                    "Look at how the indices are computed.",
                    right_numbers_elsewhere});
    add_parts(parts, Claim::rest_is_wrong, rows); // that one element alone is right says too little
    rows.push_back({"same_order_in_another_shape",
                    "these are the right numbers in the right order, in an array of another shape.",
                    in_another_shape});
    rows.push_back({"one_number_everywhere", "all elements of an answer are the same number.",
                    one_number_everywhere});
    if (const std::string sentence = shape_sentence(wrong); !sentence.empty()) {
        rows.push_back({"another_shape", sentence, [](const Pair& pair) {
                            return pair.same_shape() ? std::nullopt : std::optional(pair.yours);
                        }});
    }
    rows.push_back(
        {"not_a_number",
         "the wrong answers contain NaN or an infinity. An infinity comes from an argument, from overflow or from a division by 0; "
         "NaN comes from 0 / 0 (a sum to which nothing is added: does its loop reach the last element?), from inf / inf, inf - inf or 0 times inf (a weight of 0 and an infinite value), and from the root or logarithm of a negative number.",
         not_a_number});
    return rows;
}

} // namespace judge
