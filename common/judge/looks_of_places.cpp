#include <algorithm>
#include <cmath>
#include <iterator>

#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

using S = std::size_t;

/// The right answer, with each line (a row, or a column) changed by what the largest element that
/// is expected in it shows. Lines of less than `least` elements say little.
Turn line_by_line(const char* name, const std::string& explanation, bool rows, bool factor,
                  S least = 3) {
    return {name, explanation, [=](const Pair& pair) -> std::optional<Grid> {
                Grid result = pair.expected;
                const S lines = rows ? result.rows() : result.columns();
                const S length = rows ? result.columns() : result.rows();
                if (length < least || pair.got.shape != result.shape) {
                    return std::nullopt;
                }
                for (S line = 0; line < lines; ++line) {
                    const auto place = [&](S k) {
                        return rows ? line * result.columns() + k : k * result.columns() + line;
                    };
                    S largest = 0;
                    S others = 0;
                    for (S k = 0; k < length; ++k) {
                        const double size = std::abs(pair.expected.numbers[place(k)]);
                        others += size > 0 ? 1 : 0;
                        largest =
                            size > std::abs(pair.expected.numbers[place(largest)]) ? k : largest;
                    }
                    const double got = pair.got.numbers[place(largest)];
                    const double wanted = pair.expected.numbers[place(largest)];
                    if (others == 0 && factor) {
                        continue; // a row of 0 stays one
                    }
                    if (others < least || !std::isfinite(got) || (factor && got == 0)) {
                        return std::nullopt;
                    }
                    for (S k = 0; k < length; ++k) {
                        double& number = result.numbers[place(k)];
                        number = factor ? number * (got / wanted) : number + (got - wanted);
                    }
                }
                return result;
            }};
}

/// Each row a little smaller than it should be, by a factor of its own.
Turn a_little_less(const char* line) {
    const std::string explanation =
        std::string(line) + "factor a little below 1. Is something small, such as 1e-9, added to "
                            "what they are divided by? Where that cannot be 0, nothing is needed.";
    const Turn by_factors = line_by_line("", "", true, true, 1);
    return {"something_small_in_the_divisor", explanation,
            [by_factors](const Pair& pair) -> std::optional<Grid> {
                if (pair.expected.numbers.size() == 1) {
                    return std::nullopt; // of a single number anything is a factor
                }
                std::optional<Grid> result = by_factors.turned(pair);
                for (S k = 0; result && k < result->numbers.size(); ++k) {
                    const double size = std::abs(pair.expected.numbers[k]);
                    const double got = std::abs(result->numbers[k]);
                    if (!(got <= size * (1 + 1e-15) && got >= 0.99 * size)) {
                        return std::nullopt;
                    }
                }
                return result;
            }};
}

enum class Along { rows, columns, all };

/// Each element with the ones before it added.
Turn added_up(const char* name, const char* explanation, Along along) {
    return {name, explanation, [=](const Pair& pair) {
                Grid result = pair.expected;
                const S m = result.columns();
                const S step = along == Along::columns ? m : 1;
                for (S k = step; k < result.numbers.size(); ++k) {
                    if (along != Along::rows || k % m != 0) {
                        result.numbers[k] += result.numbers[k - step];
                    }
                }
                return std::optional(result);
            }};
}

/// What becomes of a row by itself.
Turn row_by_row(const char* name, const char* explanation, void (*change)(double* row, S length)) {
    return {name, explanation, [=](const Pair& pair) {
                Grid result = pair.expected;
                for (S i = 0; i < result.rows(); ++i) {
                    change(result.numbers.data() + i * result.columns(), result.columns());
                }
                return std::optional(result);
            }};
}

void to_shares(double* row, S length) {
    double sum = 0;
    const double largest = *std::max_element(row, row + length);
    for (S j = 0; j < length; ++j) {
        row[j] = std::exp(row[j] - largest);
        sum += row[j];
    }
    std::for_each(row, row + length, [=](double& x) { x /= sum; });
}

void to_length_one(double* row, S length) {
    double squares = 0;
    std::for_each(row, row + length, [&](double x) { squares += x * x; });
    std::for_each(row, row + length, [=](double& x) { x /= std::sqrt(squares); });
}

Turn summed_to_one(const char* name, const char* explanation, int axis) {
    return {name, explanation, [=](const Pair& pair) -> std::optional<Grid> {
                Grid result = pair.expected;
                std::vector<double> sums(result.numbers.size() + 1);
                const auto line = [&](S k) {
                    return axis == 2 ? 0 : axis == 1 ? k / result.columns() : k % result.columns();
                };
                for (S k = 0; k < result.numbers.size(); ++k) {
                    sums[line(k)] += result.numbers[k];
                }
                for (S k = 0; k < result.numbers.size(); ++k) {
                    if (sums[line(k)] == 0) {
                        return std::nullopt; // NaN comes of other divisions, too
                    }
                    result.numbers[k] /= sums[line(k)];
                }
                return result;
            }};
}

Turn same_order_other_shape() {
    return {"same_order_in_another_shape",
            "these are the right numbers in the right order, in an array of another shape.",
            [](const Pair& pair) -> std::optional<Grid> {
                if (pair.got.numbers.size() != pair.expected.numbers.size()) {
                    return std::nullopt;
                }
                return Grid{pair.got.shape, pair.expected.numbers};
            }};
}

Turn one_number_everywhere() {
    return {"one_number_everywhere", "all elements of an answer are one and the same number.",
            [](const Pair& pair) -> std::optional<Grid> {
                if (pair.got.numbers.size() < 3 || !std::isfinite(pair.got.numbers[0])) {
                    return std::nullopt;
                }
                return Grid{pair.got.shape,
                            std::vector<double>(pair.got.numbers.size(), pair.got.numbers[0])};
            }};
}

Turn in_order_of_size() {
    return {"in_order_of_size", "these are the right numbers, sorted by their size.",
            [](const Pair& pair) {
                Grid result = pair.expected;
                std::sort(result.numbers.begin(), result.numbers.end());
                return std::optional(result);
            }};
}

void append(std::vector<Turn>& turns, std::vector<Turn> more) {
    std::move(more.begin(), more.end(), std::back_inserter(turns));
}

} // namespace

std::vector<Turn> turns_of_places(const std::vector<Pair>& wrong) {
    std::vector<Turn> turns;
    const bool matrix = !wrong.empty() && wrong.front().expected.shape.size() >= 2;
    append(turns, turns_of_order(matrix));
    turns.push_back(in_order_of_size());
    append(turns, turns_of_zeros(wrong));
    turns.push_back(added_up("sums_within_rows",
                             "each element still holds the ones before it in its row: a sum is not "
                             "set back to 0 for each of them.",
                             Along::rows));
    turns.push_back(added_up("sums_over_all",
                             "each element still holds all those before it: a sum is not set back "
                             "to 0 for each of them.",
                             Along::all));
    if (matrix) {
        turns.push_back(added_up("sums_within_columns",
                                 "each element still holds the ones above it in its column: a sum "
                                 "is not set back to 0 for each of them.",
                                 Along::columns));
    }
    turns.push_back(
        row_by_row("softmax_of_rows", "softmax is applied to each row of the answer.", to_shares));
    turns.push_back(row_by_row("rows_of_length_one",
                               "each row is divided by its length, the root of the sum of its "
                               "squares.",
                               to_length_one));
    turns.push_back(summed_to_one("rows_sum_to_one",
                                  "each row is divided by its sum, so that it sums to 1.", 1));
    if (matrix) {
        turns.push_back(summed_to_one(
            "columns_sum_to_one", "each column is divided by its sum, so that it sums to 1.", 0));
        turns.push_back(summed_to_one(
            "all_sum_to_one", "all is divided by its sum, so that it sums to 1 together.", 2));
    }
    if (matrix) {
        turns.push_back(turn_of_a_row_twice());
    }
    append(turns, turns_of_parts(wrong));
    const char* line =
        matrix ? "in each row all elements are off by one " : "all elements are off by one ";
    turns.push_back(a_little_less(line));
    turns.push_back(line_by_line("a_factor_in_each_row",
                                 std::string(line) +
                                     "factor: they are in the right proportion to each other, but "
                                     "divided or multiplied by something wrong, or not at all.",
                                 true, true));
    turns.push_back(line_by_line("a_difference_in_each_row",
                                 std::string(line) +
                                     "number: what is added to them or subtracted is wrong or left "
                                     "out, and the differences between them are right.",
                                 true, false));
    if (matrix) {
        turns.push_back(line_by_line("a_factor_in_each_column",
                                     "in each column all elements are off by one factor: they are "
                                     "multiplied or divided by something wrong, or not at all.",
                                     false, true));
        turns.push_back(line_by_line("a_difference_in_each_column",
                                     "in each column all elements are off by one number: what is "
                                     "added or subtracted is wrong or left out.",
                                     false, false));
    }
    for (const auto& turn : {turn_of_tiny_ones(wrong), turn_of_tiny_beside_nearly_right(wrong),
                             turn_of_digits(wrong)}) {
        if (turn) {
            turns.push_back(*turn);
        }
    }
    append(turns, turns_of_other_places());
    append(turns, turns_of_most(wrong));
    turns.push_back(same_order_other_shape());
    turns.push_back(one_number_everywhere());
    return turns;
}

} // namespace judge
