// The table of what wrong answers look like. A row is a name, a sentence, and a test.

#include "judge/looks_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "judge/blocks.hpp"
#include "judge/looks_tests.hpp"
#include "judge/text.hpp"

namespace judge {

namespace {

using S = std::size_t;

// Elements -----------------------------------------------------------------------------------

struct ElementRow {
    const char* name;
    const char* sentence;
    double (*of)(double);
    bool always = false;
};

const std::vector<ElementRow> element_rows{
    {"all_zero",
     "the answer is always 0. "
     "Does the computed value never reach the result, or is it multiplied by 0? "
     "1 / 2 is a division of integers and gives 0, and so does a number minus itself.",
     [](double) { return 0.0; }, true},
    {"negated", "every element has the wrong sign, and the right size.",
     [](double x) { return -x; }},
    {"without_sign", "the elements have lost their signs, and are right otherwise.",
     [](double x) { return std::abs(x); }},
    {"negatives_cut_off", "numbers that should be negative are 0, and the rest is right.",
     [](double x) { return std::max(x, 0.0); }, true},
    {"positives_cut_off", "numbers that should be positive are 0, and the rest is right.",
     [](double x) { return std::min(x, 0.0); }, true},
    {"squared", "every element is the square of what it should be.",
     [](double x) { return x * x; }},
    {"square_root", "every element is the root of what it should be.",
     [](double x) { return std::sqrt(x); }},
    {"reciprocal", "every element is 1 divided by what it should be.",
     [](double x) { return 1 / x; }},
    {"exponential", "every element is exp of what it should be.",
     [](double x) { return std::exp(x); }},
    {"logarithm", "every element is the logarithm of what it should be.",
     [](double x) { return std::log(x); }},
    {"one_minus", "every element is 1 minus what it should be.", [](double x) { return 1 - x; }},
    {"hyperbolic_tangent", "every element is tanh of what it should be.",
     [](double x) { return std::tanh(x); }},
    {"cut_to_whole_numbers",
     "the elements are cut to whole numbers. "
     "Is an integer type used for them somewhere?",
     [](double x) { return std::trunc(x); }}};

struct FactorRow {
    const char* sentence; // {} is a size of the arguments
    double (*of)(double size);
};

const std::vector<FactorRow> factor_rows{
    {"every element is what it should be, divided by {}.", [](double n) { return 1 / n; }},
    {"every element is {} times what it should be.", [](double n) { return n; }},
    {"every element is what it should be, divided by the root of {}.",
     [](double n) { return 1 / std::sqrt(n); }},
    {"every element is what it should be, times the root of {}.",
     [](double n) { return std::sqrt(n); }},
    {"every element is what it should be, divided by the square of {}.",
     [](double n) { return 1 / (n * n); }},
    {"every element is what it should be, divided by {} minus 1.",
     [](double n) { return 1 / (n - 1); }}};

// Places -------------------------------------------------------------------------------------

/// The right numbers in other places, as moved() has it.
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
    {"columns_backwards", "the right columns are in reverse order.",
     [](Place& p) { p.column = p.columns - 1 - p.column; }},
    {"first_row_everywhere", "every row is what the first should be.", [](Place& p) { p.row = 0; }},
    {"last_row_everywhere", "every row is what the last should be.",
     [](Place& p) { p.row = p.rows - 1; }},
    {"first_column_everywhere", "every column is what the first should be.",
     [](Place& p) { p.column = 0; }},
    {"last_column_everywhere", "every column is what the last should be.",
     [](Place& p) { p.column = p.columns - 1; }},
    {"diagonal_in_rows", "every element of row i is what element (i, i) should be.",
     [](Place& p) { p.column = p.row; }},
    {"last_row_missing", "the last row is missing: there is one row less than there should be.",
     nullptr, [](Place& p) { --p.rows; }},
    {"last_column_missing",
     "the last column is missing: there is one column less than there should be.", nullptr,
     [](Place& p) { --p.columns; }},
    {"only_the_first_row", "only the first row is there.", nullptr, [](Place& p) { p.rows = 1; }},
    {"only_the_first_column", "only the first column is there.", nullptr,
     [](Place& p) { p.columns = 1; }}};

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
    {"only_the_first_of_the_first_axis", "only the first matrix along the first axis is there.",
     nullptr, [](Place& p) { p.matrices = 1; }},
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
     [](const Place& p) { return p.column < p.row; }, 0.95},
    {"last_row_and_column", "everything in the last row or the last column is", ends_too_early,
     [](const Place& p) { return p.row + 1 == p.rows || p.column + 1 == p.columns; }},
    {"first_row_and_column", "everything in the first row or the first column is", starts_at_1,
     [](const Place& p) { return p.row == 0 || p.column == 0; }},
    {"odd_columns", "every second column (1, 3, 5 …, counted from 0) is", "",
     [](const Place& p) { return p.column % 2 == 1; }, 0.7},
    {"even_columns", "every second column (0, 2, 4 …) is", "",
     [](const Place& p) { return p.column % 2 == 0; }, 0.7}};

const std::vector<PartRow> parts_of_the_first_axis{
    {"last_of_the_first_axis", "the last matrix along the first axis is", ends_too_early,
     [](const Place& p) { return p.matrix + 1 == p.matrices; }},
    {"first_of_the_first_axis", "the first matrix along the first axis is", starts_at_1,
     [](const Place& p) { return p.matrix == 0; }}};

// Lines --------------------------------------------------------------------------------------

struct LineRow {
    const char* name;
    const char* sentence;
    Lines lines;
    Change change;
    bool of_vectors = false; // too: a vector is one row
};

const std::vector<LineRow> line_rows{
    {"sums_within_rows",
     "each element also contains the ones before it in its row: the sum is not reset to 0 for each element.",
     Lines::rows, to_running_sums, true},
    {"sums_over_all",
     "each element also contains all those before it: the sum is not reset to 0 for each element.",
     Lines::all, to_running_sums, true},
    {"sums_within_columns",
     "each element also contains the ones above it in its column: the sum is not reset to 0 for each element.",
     Lines::columns, to_running_sums},
    {"softmax_of_rows", "softmax is applied to each row of the answer.", Lines::rows, to_softmax,
     true},
    {"rows_of_length_one", "each row is divided by its length, the root of the sum of its squares.",
     Lines::rows, to_length_one, true},
    {"rows_sum_to_one", "each row is divided by its sum, so that it sums to 1.", Lines::rows,
     to_sum_one, true},
    {"columns_sum_to_one", "each column is divided by its sum, so that it sums to 1.",
     Lines::columns, to_sum_one}};

const std::vector<LineRow> scaled_line_rows{
    {"something_small_in_the_divisor",
     "in each row all elements are off by the same factor, a little below 1. "
     "Is something small, such as 1e-9, added to the divisor? "
     "A divisor that cannot be 0 needs no such addition.",
     Lines::rows, times_a_little_less, true},
    {"a_factor_in_each_row",
     "in each row all elements are off by the same factor: they are in the right proportion to each other, but divided or multiplied by something wrong, or not at all.",
     Lines::rows, times_a_factor, true},
    {"a_difference_in_each_row",
     "in each row all elements are off by the same number: something added or subtracted is wrong or missing, and the differences between them are right.",
     Lines::rows, plus_a_number, true},
    {"a_factor_in_each_column",
     "in each column all elements are off by the same factor: they are multiplied or divided by something wrong, or not at all.",
     Lines::columns, times_a_factor},
    {"a_difference_in_each_column",
     "in each column all elements are off by the same number: something added or subtracted is wrong or missing.",
     Lines::columns, plus_a_number},
    {"a_factor_in_each_matrix",
     "in each matrix along the first axis all elements are off by the same factor: they are multiplied or divided by something wrong, or not at all.",
     Lines::matrices, times_a_factor}};

// Shapes -------------------------------------------------------------------------------------

/// What a size of the answers is in all of them: "the number of columns of X", or "1 here", which
/// need not be the rule; "" if it is nothing that has a name.
std::string size_text(const Pairs& pairs, S axis, Grid Pair::*answer) {
    const auto is = [&](const Pair& pair, double number) {
        return static_cast<double>((pair.*answer).shape.at(axis)) == number;
    };
    for (const double number : {0.0, 1.0}) {
        if (all_pairs(pairs, [&](const Pair& pair) { return is(pair, number); })) {
            return fmt::format("{:g} here", number);
        }
    }
    for (const int beside : {0, 1, -1}) {
        for (S k = 0; k < pairs.front().sizes.size(); ++k) {
            if (all_pairs(pairs, [&](const Pair& pair) {
                    return k < pair.sizes.size() && is(pair, pair.sizes[k].second + beside);
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
    std::copy_if(wrong.begin(), wrong.end(), std::back_inserter(pairs), [](const Pair& pair) {
        return !pair.same_shape() && pair.yours.rank() == pair.expected.rank();
    });
    if (pairs.size() < 2) {
        return "";
    }
    if (all_pairs(pairs, [](const Pair& pair) { return pair.yours.numbers.empty(); })) {
        return "it has no elements: nothing is ever stored in it.";
    }
    const S rank = pairs.front().yours.rank();
    std::string sentence;
    for (S axis = 0; axis < rank; ++axis) {
        if (all_pairs(pairs, [=](const Pair& pair) {
                return pair.yours.shape.at(axis) == pair.expected.shape.at(axis);
            })) {
            continue;
        }
        const std::string yours = size_text(pairs, axis, &Pair::yours);
        const std::string expected = size_text(pairs, axis, &Pair::expected);
        if (yours.empty() || expected.empty()) {
            return "";
        }
        sentence +=
            fmt::format("{}{} of the result is {}, where it should be {}",
                        sentence.empty() ? "" : "; ", axis_name(rank, axis), yours, expected);
    }
    return sentence + ".";
}

// Rows with numbers found in the answers -------------------------------------------------------

std::string factor_text(double factor) {
    const double inverse = std::round(1 / factor);
    return std::abs(factor - 0.5) < 1e-9    ? "half of"
           : std::abs(factor - 0.25) < 1e-9 ? "a quarter of"
           : std::abs(factor) < 0.1 && std::abs(1 / factor - inverse) < 1e-9
               ? fmt::format("1/{:g} of", inverse)
               : number_text(factor) + " times";
}

/// The one way in which the factor goes with a size of the arguments; "" if there is none, or two.
/// Of sizes that are always alike, as the columns of A and the rows of B in A · B, the first.
std::string factor_sentence(const Pairs& wrong) {
    std::string sentence;
    const FactorRow* found = nullptr;
    std::vector<double> its_sizes;
    for (const FactorRow& row : factor_rows) {
        for (S k = 0; k < wrong.front().sizes.size(); ++k) {
            std::vector<double> sizes;
            const bool holds = all_pairs(wrong, [&](const Pair& pair) {
                sizes.push_back(k < pair.sizes.size() ? pair.sizes[k].second : NAN);
                return std::abs(factor_of(pair).value_or(NAN) / row.of(sizes.back()) - 1) < 1e-9;
            });
            if (holds && found != nullptr && (found != &row || its_sizes != sizes)) {
                return "";
            }
            if (holds && found == nullptr) {
                found = &row;
                its_sizes = sizes;
                sentence = fmt::format(fmt::runtime(row.sentence), wrong.front().sizes[k].first);
            }
        }
    }
    return sentence;
}

LookRow a_factor(const Pairs& wrong) {
    if (all_pairs(wrong, [](const Pair& pair) {
            return std::abs(factor_of(pair).value_or(1) - 1) < 1e-5;
        })) {
        return {
            "a_factor_near_1",
            "all elements are off by the same factor, nearly 1: a number that they are multiplied or divided by is not exact. "
            "Is it kept in a float, or is something small added to it?",
            times_its_factor};
    }
    const std::string sentence = factor_sentence(wrong);
    return {
        "a_factor",
        !sentence.empty()
            ? sentence
            : "in each answer all elements are off by the same factor, which differs from answer to answer: a factor or divisor is wrong or missing, and nothing else is wrong.",
        times_its_factor};
}

/// A double that was never set is -5.3e303 here: the compiler fills it.
bool is_never_set(double x) {
    const double size = std::abs(x);
    return (size > 1e302 && size < 1e306) || (size > 1e-306 && size < 1e-301);
}

using Rows = std::vector<LookRow>;

/// Yours, where that is as the row says, and else what it should be.
LookTest yours_where(bool (*so)(const Pair&)) {
    return [=](const Pair& pair) -> std::optional<Grid> {
        return so(pair) ? pair.yours : pair.expected;
    };
}

void add_lines(const std::vector<LineRow>& lines, bool matrix, Rows& rows) {
    for (const LineRow& row : lines) {
        if (matrix || row.of_vectors) {
            rows.push_back({row.name, row.sentence, each_line(row.lines, row.change)});
        }
    }
}

void add_sizes(const Pairs& wrong, bool zero, Rows& rows) {
    const char* const sentence =
        zero ? "only the first {0} are there, as many as {1} says, and those after them are 0. "
               "Does a loop over the {0} end at {1}?"
             : "the first {0} are right, as many as {1} says, and those after them are not. "
               "Does a loop over the {0} end at {1}?";
    for (const Axis& axis : axes_of(wrong)) {
        for (S k = 0; k < wrong.front().sizes.size(); ++k) {
            const std::string& size = wrong.front().sizes[k].first;
            rows.push_back({zero ? "zero_from_a_size_on" : "wrong_from_another_size_on",
                            fmt::format(fmt::runtime(sentence), axis.lines, size),
                            only_as_many_as(axis, k, size, zero), zero});
        }
    }
}

void add_blocks(const Pairs& wrong, Rows& rows) {
    for (const Axis& axis : axes_of(wrong)) {
        for (const S block : block_sizes) {
            // Zeros alone say nothing about blocks.
            const bool tells = std::any_of(wrong.begin(), wrong.end(), [&](const Pair& pair) {
                const S count = axis.count(pair.expected.sizes());
                return count > block && count % block != 0;
            });
            for (const S from : tells ? std::vector<S>{0, block} : std::vector<S>()) {
                rows.push_back(
                    {"zero_past_whole_blocks",
                     fmt::format(
                         "the last {0} are 0 where {1}their number is not a multiple of a block's size, or of the number of threads: the division rounds down. "
                         "Round up, and let the last block end at the last of the {0}.",
                         axis.lines, where_some_are_lost(from)),
                     zero_past_whole_blocks(axis, block, from), true});
            }
        }
    }
}

/// Right up to a place at which a buffer or a tile ends, and wrong from there on.
void add_buffers(const Pairs& wrong, Rows& rows) {
    for (const Axis& axis : axes_of(wrong)) {
        const S first = first_wrong(axis, wrong);
        if (first >= 16 && first <= 4096 && (first % 16 == 0 || first % 10 == 0)) {
            const Part after = [=](const Place& p) { return axis.position(p) >= first; };
            rows.push_back(
                {"beyond_a_size",
                 fmt::format(
                     "the first {} {} are right, and those after them are not: a buffer or a tile ends there, or the remainder after the whole blocks is not done.",
                     first, axis.lines),
                 [=](const Pair& pair) { return wrong_inside(pair, after, false, 0); }});
        }
    }
}

enum class Says { part_is_zero, rest_is_zero, part_is_wrong, rest_is_wrong };

LookRow look_of_part(const PartRow& part, Says says) {
    const bool zero = says == Says::part_is_zero || says == Says::rest_is_zero;
    const bool rest = says == Says::rest_is_zero || says == Says::rest_is_wrong;
    const char* const sentence = says == Says::part_is_zero   ? "{} 0, and the rest is right.{}"
                                 : says == Says::rest_is_zero ? "only {} right, the rest is 0."
                                 : says == Says::part_is_wrong
                                     ? "where the answer is wrong, only {}."
                                     : "where the answer is wrong, only {} right.";
    const Part inside = [=](const Place& place) { return part.inside(place) != rest; };
    return {
        fmt::format("{}{}_is_{}", rest ? "all_but_" : "", part.name, zero ? "zero" : "wrong"),
        fmt::format(fmt::runtime(sentence), part.is, part.question),
        [=](const Pair& pair) { return wrong_inside(pair, inside, zero, rest ? 0.9 : part.least); },
        zero};
}

} // namespace

std::vector<LookRow> looks_of_elements(const Pairs& wrong) {
    Rows rows{
        {"never_set",
         "the answer comes from a variable that was never given a value: double sum; starts with whatever was in memory before (here, a number near 1e303). "
         "Write double sum = 0;.",
         yours_where([](const Pair& pair) {
             const auto& yours = pair.yours.numbers;
             return pair.same_shape() && std::any_of(yours.begin(), yours.end(), is_never_set);
         })}};
    for (const ElementRow& row : element_rows) {
        rows.push_back({row.name, row.sentence, each_element(row.of), false, row.always});
    }
    for (const Pair& pair : wrong) {
        const double factor = factor_of(pair).value_or(0);
        if (factor != 0 && std::abs(factor - 1) > 1e-5) {
            rows.push_back(
                {"one_factor",
                 fmt::format("every element is {} what it should be.", factor_text(factor)),
                 each_element([=](double x) { return factor * x; })});
            break;
        }
    }
    rows.push_back(a_factor(wrong));
    for (const Pair& pair : wrong) {
        const double difference = difference_of(pair).value_or(0);
        if (difference != 0 && std::abs(difference) < 1e100) {
            rows.push_back(
                {"one_difference",
                 fmt::format("every element is {} too {}.", number_text(std::abs(difference)),
                             difference > 0 ? "large" : "small"),
                 each_element([=](double x) { return x + difference; })});
            break;
        }
    }
    for (int decimals = 1; decimals <= 9; ++decimals) {
        const double scale = std::pow(10, decimals);
        rows.push_back({"rounded_to_decimals",
                        fmt::format("the elements are rounded to {} decimals.", decimals),
                        each_element([=](double x) { return std::round(x * scale) / scale; })});
    }
    if (const double lost = largest_lost(wrong); lost > 0) {
        rows.push_back(
            {"small_ones_are_zero",
             fmt::format(
                 "some small elements, up to {}, are 0. They must be as exact as large ones.",
                 number_text(lost)),
             zero_as_yours});
    }
    return rows;
}

std::vector<LookRow> looks_of_places(const Pairs& wrong) {
    const S rank = wrong.front().expected.rank();
    const bool matrix = rank >= 2;
    std::vector<PartRow> parts;
    std::vector<MovedRow> moves = matrix ? moved_in_a_matrix : moved_in_a_vector;
    const auto append = [](auto& rows, const auto& more) {
        rows.insert(rows.end(), more.begin(), more.end());
    };
    if (rank > 0) { // a single number has no parts
        append(parts, parts_of_a_vector);
    }
    if (matrix) {
        append(parts, parts_of_a_matrix);
    }
    if (rank == 3) {
        append(parts, parts_of_the_first_axis);
        append(moves, moved_along_the_first_axis);
    }
    Rows rows;
    const auto add_parts = [&](Says says) {
        for (const PartRow& part : parts) {
            rows.push_back(look_of_part(part, says));
        }
    };
    for (const MovedRow& row : moves) {
        rows.push_back({row.name, row.sentence, moved(row.from, row.resize)});
    }
    add_sizes(wrong, true, rows);
    add_parts(Says::part_is_zero);
    add_parts(Says::rest_is_zero);
    add_blocks(wrong, rows);
    rows.push_back(
        {"first_axis_added_up",
         "the matrices along the first axis are added up, but each is wanted separately. "
         "Does a sum continue from one to the next?",
         first_axis_added_up});
    add_lines(line_rows, matrix, rows);
    rows.push_back(
        {"row_before_once_more",
         "each wrong row repeats the row before it. "
         "Is something that is made for one row reused for the next, or is the row left unchanged?",
         row_before_once_more});
    add_sizes(wrong, false, rows);
    add_buffers(wrong, rows);
    add_parts(Says::part_is_wrong);
    add_lines(scaled_line_rows, matrix, rows);
    append(rows, looks_of_digits(wrong));
    rows.push_back({"right_numbers_elsewhere",
                    "the right numbers are all there, but not all in their places. "
                    "Look at how the indices are computed.",
                    right_numbers(true, 2)});
    rows.push_back(
        {"some_of_the_right_numbers_elsewhere",
         "the numbers are right ones in wrong places: some occur more than once or are 0, and others are missing. "
         "Look at how the indices are computed.",
         right_numbers(false, 3)});
    parts.erase(parts.begin(), parts.begin() + std::min<std::ptrdiff_t>(std::ssize(parts), 2));
    add_parts(Says::rest_is_wrong); // that one element alone is right says too little
    rows.push_back({"same_order_in_another_shape",
                    "these are the right numbers in the right order, in an array of another shape.",
                    [](const Pair& pair) -> std::optional<Grid> {
                        return pair.yours.numbers.size() == pair.expected.numbers.size()
                                   ? std::optional(Grid{pair.yours.shape, pair.expected.numbers})
                                   : std::nullopt;
                    }});
    rows.push_back({"one_number_everywhere", "all elements of an answer are the same number.",
                    [](const Pair& pair) -> std::optional<Grid> {
                        const auto& yours = pair.yours.numbers;
                        return yours.size() < 3 || !std::isfinite(yours[0])
                                   ? std::nullopt
                                   : std::optional(
                                         Grid{pair.yours.shape,
                                              {std::vector<double>(yours.size(), yours[0])}});
                    }});
    if (const std::string sentence = shape_sentence(wrong); !sentence.empty()) {
        rows.push_back({"another_shape", sentence, [](const Pair& pair) {
                            return pair.same_shape() ? std::nullopt : std::optional(pair.yours);
                        }});
    }
    rows.push_back(
        {"not_a_number",
         "the wrong answers contain NaN or an infinity. An infinity comes from an argument, from overflow or from a division by 0; "
         "NaN comes from 0 / 0 (a sum to which nothing is added: does its loop reach the last element?), from inf / inf, inf - inf or 0 times inf (a weight of 0 and an infinite value), and from the root or logarithm of a negative number.",
         yours_where([](const Pair& pair) {
             return all_finite(pair.expected) && !all_finite(pair.yours);
         })});
    return rows;
}

} // namespace judge
